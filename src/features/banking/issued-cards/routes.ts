import { Type } from 'typebox';
import { findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  explained,
  IdInput,
  MomentInput,
  oneOfWords,
  stamped,
} from '#kernel/http/declare/schema.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { namesReaderOf } from '#kernel/object-names/object-names.ts';
import { transact } from '#kernel/transact.ts';
import { controlsInput, readControls } from './controls.ts';
import { type BegunCard, beginCard, type IssueDeps, requireProduct } from './issue.ts';
import {
  type NamedIssuedCard,
  namedIssuedCard,
  namedIssuedCards,
  ShownIssuedCard,
  shownIssuedCard,
} from './presenters.ts';
import {
  findIssuedCard,
  ISSUED_CARD_STATUSES,
  type IssuedCard,
  issuedCardOfOperation,
  listIssuedCards,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownIssuedCard });
const params = Type.Object({ card_id: objectIdInput('crd') });

/** Cards are made, listed and read. */
export const issuedCardRoutes = (deps: IssueDeps): Route[] => [
  createRoute(deps),
  listRoute,
  readRoute,
  setMetadata,
];

const createRoute = (deps: IssueDeps): Route =>
  endpoint('POST /cards', {
    name: 'issuedCards.create',
    auth: 'user',
    creates: 'card',
    movesMoney: true,
    errors: [
      ...(['VERIFICATION_REQUIRED', 'WALLET_NOT_FOUND', 'RAIL_NOT_AVAILABLE'] as const),
      ...(['409 LIMIT_EXCEEDED', 'CONFLICT'] as const),
    ],
    summary: 'Issues a virtual card on a wallet of one’s own',
    body: Type.Object({
      wallet_id: explained(IdInput, 'What is paid by the card is paid from it'),
      name_on_card: Type.String({
        pattern: "^(?=.*[A-Za-z])[A-Za-z .'-]{2,26}$",
        plain_pattern: "^[A-Za-z .'-]{2,26}$",
        examples: ['Siti Rahma'],
      }),
      usage: Type.Optional(
        explained(oneOfWords(['many', 'single'] as const), 'For one payment, or for any number'),
      ),
      valid_until: Type.Optional(explained(MomentInput, 'An earlier end than the card’s own')),
      controls: Type.Optional(Type.Object(controlsInput)),
    }),
    reply: { 201: One },
    fault: 'Failed to issue the card',
    async handler({ caller, body, operation, db }) {
      const known = await issuedCardOfOperation(db, operation);
      if (known) return at(201, { data: await made(deps, db, { card: known, intent: undefined }) });
      const wallet = await findFiatWallet(db, { user_id: caller.user_id }, body.wallet_id);
      if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
      requireProduct(deps, wallet.currency);
      const validUntil = body.valid_until ?? null;
      if (validUntil !== null && validUntil <= deps.clock.now().toISOString())
        throw wrongField('valid_until', 'must be in the future');
      const order = {
        operation,
        caller,
        wallet,
        nameOnCard: body.name_on_card,
        usage: body.usage ?? 'many',
        validUntil,
        controls: readControls(body.controls ?? {}, wallet.currency),
      };
      const begun = await transact(db, (tx) => beginCard(deps, tx, order));
      return at(201, { data: await made(deps, db, begun) });
    },
  });

/** Waits for the processor, and shows the card as it is then: PENDING, where the answer is still to come. */
export async function made(deps: IssueDeps, db: Db, { card, intent }: BegunCard) {
  const { card_id, client_id } = card;
  await deps.effects.drive(deps.issue, card_id, intent && { intent });
  const now = (await findIssuedCard(db, {}, card_id)) ?? card;
  return shownIssuedCard(await namedIssuedCard(db, now, client_id));
}

const listRoute = endpoint('GET /cards', {
  name: 'issuedCards.list',
  auth: 'user',
  errors: ['INVALID_PAGINATION'],
  summary: 'Lists cards, newest first',
  query: Type.Object({
    ...cursorQuery,
    status: Type.Optional(oneOfWords(ISSUED_CARD_STATUSES)),
  }),
  reply: { 200: stamped({ data: cursorPage(ShownIssuedCard) }) },
  fault: 'Failed to list cards',
  async handler({ caller, query, db }) {
    const { wanted, page } = cursorReader(query);
    const found = await listIssuedCards(db, tenantScopeOf(caller), query.status, wanted);
    const named = await namedIssuedCards(db, found, namesReaderOf(caller));
    return { data: page(named, ({ card }) => Number(card.serial), shownIssuedCard) };
  },
});

const readRoute = endpoint('GET /cards/{card_id}', {
  name: 'issuedCards.get',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Shows a card',
  params,
  reply: { 200: One },
  fault: 'Failed to read the card',
  async handler({ caller, params, db }) {
    const card = await findIssuedCard(db, tenantScopeOf(caller), params.card_id);
    return { data: shownIssuedCard(await named(db, caller, card)) };
  },
});

const setMetadata = metadataRoute('PATCH /cards/{card_id}/metadata', {
  name: 'issuedCards.setMetadata',
  noun: 'a card',
  params,
  shape: ShownIssuedCard,
  async find(db, caller, { card_id }) {
    const card = await findIssuedCard(db, tenantScopeOf(caller), card_id);
    const shown = shownIssuedCard(await named(db, caller, card));
    const { client_id, user_id } = card as IssuedCard;
    return {
      object: { type: 'card', kind: 'card', id: shown.card_id, client_id, user_id },
      data: shown,
    };
  },
});

function named(db: Db, caller: UserCaller, card: IssuedCard | undefined): Promise<NamedIssuedCard> {
  if (!card) throw fail('NOT_FOUND', 'Card not found');
  return namedIssuedCard(db, card, namesReaderOf(caller));
}
