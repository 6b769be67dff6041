import { type TSchema, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requireVersion, versionMeant } from '#kernel/http/declare/if-match.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  explained,
  integerInput,
  oneOfWords,
  stamped,
  textInput,
} from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import type { Currency } from '#kernel/money/amount-fields.ts';
import { namesReaderOf } from '#kernel/object-names/object-names.ts';
import { transact } from '#kernel/transact.ts';
import {
  type ActDeps,
  activateCard,
  type CardAct,
  closeCard,
  closeForAnother,
  freezeCard,
  lockCardOf,
  recordCardAct,
  unfreezeCard,
} from './act.ts';
import { controlsInput, readControls } from './controls.ts';
import { emitCardChange } from './events.ts';
import { beginReplacement, type IssueDeps } from './issue.ts';
import {
  type NamedIssuedCard,
  namedIssuedCard,
  ShownIssuedCard,
  shownIssuedCard,
} from './presenters.ts';
import { made } from './routes.ts';
import { CLOSED_REASONS, type IssuedCard, setControls } from './store.ts';

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownIssuedCard });
const params = Type.Object({ card_id: objectIdInput('crd') });
const Reason = Type.Object({
  reason: Type.Optional(explained(textInput(250), 'For the audit log')),
});
const why = oneOfWords(CLOSED_REASONS);

type Deps = ActDeps & IssueDeps;

/** What is done with a card once it is there. */
export const issuedCardActRoutes = (deps: Deps): Route[] => [
  activateRoute(deps),
  freezeRoute(deps),
  unfreezeRoute(deps),
  closeRoute(deps),
  replaceRoute(deps),
  controlsRoute,
];

/** After a change; as it was where there was none. */
async function answered(
  db: Db,
  caller: UserCaller,
  done: IssuedCard | NamedIssuedCard,
): Promise<ReturnType<typeof shownIssuedCard>> {
  const card = 'card' in done ? done.card : done;
  return shownIssuedCard(await namedIssuedCard(db, card, namesReaderOf(caller)));
}

const acting = {
  auth: 'user',
  errors: ['NOT_FOUND', '409 INVALID_STATUS', 'FORBIDDEN'],
  params,
  body: Reason as TSchema,
  reply: { 200: One },
  atomic: true,
} as const;

const activateRoute = (deps: Deps): Route =>
  endpoint('POST /cards/{card_id}/activate', {
    ...acting,
    name: 'issuedCards.activate',
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    summary: 'Activates a card of one’s own: it pays from now on',
    fault: 'Failed to activate the card',
    async handler({ caller, params, request, db }) {
      const act = { caller, request, card_id: params.card_id };
      return { data: await answered(db, caller, await activateCard(deps, db, act)) };
    },
  });

const actOf = (
  caller: UserCaller,
  request: CardAct['request'],
  { card_id }: { readonly card_id: string },
  body: unknown,
): CardAct => ({
  caller,
  request,
  card_id,
  reason: (body as { readonly reason?: string }).reason,
});

const freezeRoute = (deps: Deps): Route =>
  endpoint('POST /cards/{card_id}/freeze', {
    ...acting,
    name: 'issuedCards.freeze',
    team: 'freezes:write',
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    proof: true,
    summary: 'Freezes a card: it pays nothing until it is unfrozen',
    fault: 'Failed to freeze the card',
    async handler({ caller, params, body, request, db }) {
      const act = actOf(caller, request, params, body);
      return { data: await answered(db, caller, await freezeCard(deps, db, act)) };
    },
  });

const unfreezeRoute = (deps: Deps): Route =>
  endpoint('POST /cards/{card_id}/unfreeze', {
    ...acting,
    name: 'issuedCards.unfreeze',
    team: 'freezes:write',
    proof: true,
    summary: 'Unfreezes a card: it pays again',
    fault: 'Failed to unfreeze the card',
    async handler({ caller, params, body, request, db }) {
      const act = actOf(caller, request, params, body);
      return { data: await answered(db, caller, await unfreezeCard(deps, db, act)) };
    },
  });

const closeRoute = (deps: Deps): Route =>
  endpoint('POST /cards/{card_id}/close', {
    name: 'issuedCards.close',
    auth: 'user',
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    proof: true,
    summary: 'Closes a card for good',
    params,
    body: Type.Object({ reason: why }),
    example: { reason: 'USER' },
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to close the card',
    async handler({ caller, params, body: { reason }, request, db }) {
      const act = { caller, request, card_id: params.card_id, reason };
      return { data: await answered(db, caller, await closeCard(deps, db, act, reason)) };
    },
  });

const replaceRoute = (deps: Deps): Route =>
  endpoint('POST /cards/{card_id}/replace', {
    name: 'issuedCards.replace',
    auth: 'user',
    creates: { kind: 'card_replacement', object: 'card', on: 'created' },
    movesMoney: true,
    errors: [
      ...(['NOT_FOUND', '409 INVALID_STATUS', 'FORBIDDEN', 'VERIFICATION_REQUIRED'] as const),
      'CONFLICT',
    ],
    summary: 'Closes a card of one’s own and issues another in its place',
    params,
    body: Type.Object({ reason: why }),
    example: { reason: 'LOST' },
    reply: { 201: One },
    fault: 'Failed to replace the card',
    async handler({ caller, params, body: { reason }, operation, request, db }) {
      const act = { caller, request, card_id: params.card_id, reason };
      const begun = await transact(db, async (tx) => {
        const closed = await closeForAnother(deps, tx, act, reason);
        return beginReplacement(deps, tx, operation, closed);
      });
      return at(201, { data: await made(deps, db, begun) });
    },
  });

const controlsRoute = endpoint('PUT /cards/{card_id}/controls', {
  name: 'issuedCards.setControls',
  auth: 'user',
  errors: ['NOT_FOUND', 'VERSION_CONFLICT'],
  movesMoney: true,
  summary: 'Replaces what a card may pay: its owner’s rules, or as an admin the client’s',
  params,
  body: Type.Object({
    ...controlsInput,
    version: Type.Optional(integerInput(1, ID_MAX)),
  }),
  example: { spending_limits: [{ interval: 'day', amount: '200.00' }], online: true },
  reply: { 200: One },
  atomic: true,
  fault: 'Failed to set the controls',
  async handler({ caller, params, body: { version, ...sent }, request, db }) {
    const act = { caller, request, card_id: params.card_id };
    const { card, by } = await lockCardOf(db, act, 'within reach');
    requireVersion(card.version, versionMeant({ ...(version && { version }) }, request.headers));
    const side = by === 'OWNER' ? 'owner_controls' : 'client_controls';
    const controls = readControls(sent, card.currency as Currency);
    const changed = await setControls(db, card, side, controls);
    await recordCardAct(db, act, card, 'CONTROLS_SET');
    await emitCardChange(db, 'changed', changed);
    return { data: await answered(db, caller, changed) };
  },
});
