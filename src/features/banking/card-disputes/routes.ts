import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorReader, moneyListQuery } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requireVersion, versionMeant } from '#kernel/http/declare/if-match.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import {
  at,
  endpoints,
  Paged,
  type RequestFacts,
  type Route,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import {
  explained,
  integerInput,
  oneOfWords,
  stamped,
  textInput,
} from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import { MoneyInput } from '#kernel/money/amount-fields.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { namesReaderOf } from '#kernel/object-names/object-names.ts';
import { transact } from '#kernel/transact.ts';
import { DISPUTE_REASONS } from '#providers/issuing/port.ts';
import { respondToDispute, submitDispute, withdrawDispute } from './act.ts';
import type { DisputingDeps } from './deps.ts';
import { lockWithCard } from './dispute-effects.ts';
import { EVIDENCE_MAX } from './evidence.ts';
import { editDispute, makeDispute } from './make.ts';
import {
  CARD_DISPUTE,
  ShownCardDispute,
  shownCardDispute,
  wholeDispute,
  wholeDisputes,
} from './presenters.ts';
import {
  type CardDispute,
  DISPUTE_STATUSES,
  disputeOfOperation,
  findCardDispute,
  listCardDisputes,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownCardDispute });
const params = Type.Object({ dispute_id: objectIdInput('dsp') });

const Reason = oneOfWords(DISPUTE_REASONS);
const Amount = explained(MoneyInput, 'All that was settled and not given back without it');
const Explanation = explained(textInput(2000), 'What has happened, for the shop and the network');
const Evidence = explained(
  Type.Array(objectIdInput('fil'), { maxItems: EVIDENCE_MAX }),
  'Files of the purpose `dispute_evidence`, PDF or JPEG up to 2 MB',
);
const version = Type.Optional(integerInput(1, ID_MAX));

/** Payments of cards that their holders dispute. */
export const cardDisputeRoutes = (deps: DisputingDeps): Route[] => [
  createRoute(deps),
  listRoute,
  readRoute,
  editRoute(deps),
  setMetadata,
  ...actRoutes(deps),
];

const createRoute = (deps: DisputingDeps): Route =>
  endpoint('POST /cards/transactions/{transaction_id}/disputes', {
    name: 'cardDisputes.create',
    creates: CARD_DISPUTE,
    auth: 'user',
    movesMoney: true,
    errors: ['NOT_FOUND', '409 INVALID_STATUS', 'CONFLICT'],
    summary: 'Disputes what a card of one’s own has paid: a draft, until it is submitted',
    params: Type.Object({ transaction_id: objectIdInput('ctx') }),
    body: Type.Object({
      reason: Reason,
      amount: Type.Optional(Amount),
      explanation: Explanation,
      evidence: Type.Optional(Evidence),
    }),
    reply: { 201: One },
    fault: 'Failed to dispute the payment',
    async handler({ caller, params, body, operation, db }) {
      const known = await disputeOfOperation(db, operation);
      if (known) return at(201, { data: await shown(db, caller, known) });
      const payment_id = params.transaction_id;
      const order = { operation, caller, payment_id, claim: body };
      const made = await transact(db, (tx) => makeDispute(deps, tx, order));
      return at(201, { data: await shown(db, caller, made) });
    },
  });

const listRoute = endpoint('GET /cards/disputes', {
  name: 'cardDisputes.list',
  auth: 'user',
  csv: 'data.items',
  errors: ['INVALID_PAGINATION'],
  summary: 'Lists disputes, newest first',
  query: Type.Object({
    ...moneyListQuery(DISPUTE_STATUSES),
    transaction_id: Type.Optional(objectIdInput('ctx')),
  }),
  reply: { 200: stamped({ data: cursorPage(ShownCardDispute) }) },
  fault: 'Failed to list disputes',
  async handler({ caller, query, db }) {
    const { wanted, page } = cursorReader(query);
    const { rows, looked } = await listCardDisputes(db, tenantScopeOf(caller), query, wanted);
    const whole = await wholeDisputes(db, rows, namesReaderOf(caller));
    const serial = ({ dispute }: (typeof whole)[number]) => Number(dispute.serial);
    const data = page(whole, serial, shownCardDispute, looked);
    return new Paged({ data }, data.next_cursor);
  },
});

const readRoute = endpoint('GET /cards/disputes/{dispute_id}', {
  name: 'cardDisputes.get',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Shows a dispute, with what the network has said',
  params,
  reply: { 200: One },
  fault: 'Failed to read the dispute',
  async handler({ caller, params, db }) {
    return { data: await shown(db, caller, await required(db, caller, params)) };
  },
});

const editRoute = (deps: DisputingDeps): Route =>
  endpoint('PATCH /cards/disputes/{dispute_id}', {
    name: 'cardDisputes.update',
    auth: 'user',
    movesMoney: true,
    errors: ['NOT_FOUND', '409 INVALID_STATUS', 'VERSION_CONFLICT'],
    summary: 'Changes a dispute that was not submitted yet',
    params,
    body: Type.Object({
      reason: Type.Optional(Reason),
      amount: Type.Optional(Amount),
      explanation: Type.Optional(Explanation),
      evidence: Type.Optional(Evidence),
      version,
    }),
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to change the dispute',
    async handler({ caller, params, body, request, db: tx }) {
      const dispute = await lockedOf(tx, { caller, request }, params, body.version);
      const edited = await editDispute(deps, tx, dispute, {
        owner: caller.user_id,
        claim: body,
      });
      await record(tx, { caller, request }, edited, 'EDITED');
      return { data: await shown(tx, caller, edited) };
    },
  });

const setMetadata = metadataRoute('PATCH /cards/disputes/{dispute_id}/metadata', {
  name: 'cardDisputes.setMetadata',
  noun: 'a dispute',
  params,
  shape: ShownCardDispute,
  async find(db, caller, params) {
    const dispute = await required(db, caller, params);
    const { client_id, user_id, object_id: id } = dispute;
    return {
      object: { type: CARD_DISPUTE, kind: CARD_DISPUTE, id, client_id, user_id },
      data: await shown(db, caller, dispute),
    };
  },
});

const acting = {
  auth: 'user',
  movesMoney: true,
  errors: ['NOT_FOUND', '409 INVALID_STATUS', 'VERSION_CONFLICT'],
  params,
  reply: { 200: One },
  atomic: true,
} as const;

const actRoutes = (deps: DisputingDeps): Route[] => [
  endpoint('POST /cards/disputes/{dispute_id}/submit', {
    ...acting,
    name: 'cardDisputes.submit',
    errors: [...acting.errors, 'CONFLICT'],
    summary: 'Sends a dispute to the card network',
    body: Type.Object({ version }),
    fault: 'Failed to submit the dispute',
    async handler({ caller, params, body, request, db: tx }) {
      const dispute = await lockedOf(tx, { caller, request }, params, body.version);
      const after = await submitDispute(deps, tx, dispute);
      await record(tx, { caller, request }, after, 'SUBMITTED');
      return { data: await shown(tx, caller, after) };
    },
  }),
  endpoint('POST /cards/disputes/{dispute_id}/respond', {
    ...acting,
    name: 'cardDisputes.respond',
    summary: 'Contradicts what the shop has answered',
    body: Type.Object({
      response: explained(textInput(2000), 'Why the shop’s answer is not right'),
      evidence: Type.Optional(Evidence),
      version,
    }),
    fault: 'Failed to respond',
    async handler({ caller, params, body, request, db: tx }) {
      const dispute = await lockedOf(tx, { caller, request }, params, body.version);
      const { response, evidence = [] } = body;
      const said = { owner: caller.user_id, response, evidence };
      const after = await respondToDispute(deps, tx, dispute, said);
      await record(tx, { caller, request }, after, 'RESPONDED');
      return { data: await shown(tx, caller, after) };
    },
  }),
  endpoint('POST /cards/disputes/{dispute_id}/withdraw', {
    ...acting,
    name: 'cardDisputes.withdraw',
    summary: 'Gives a dispute up; a provisional credit is taken back',
    body: Type.Object({ version }),
    fault: 'Failed to withdraw the dispute',
    async handler({ caller, params, body, request, db: tx }) {
      const dispute = await lockedOf(tx, { caller, request }, params, body.version);
      const after = await withdrawDispute(deps, tx, dispute);
      await record(tx, { caller, request }, after, 'WITHDRAWN');
      return { data: await shown(tx, caller, after) };
    },
  }),
];

interface By {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}
type Named = { readonly dispute_id: string };

async function required(db: Db, caller: UserCaller, { dispute_id }: Named): Promise<CardDispute> {
  const dispute = await findCardDispute(db, tenantScopeOf(caller), dispute_id);
  if (!dispute) throw fail('NOT_FOUND', 'Dispute not found');
  return dispute;
}

/** Within reach, locked with its card. Throws NOT_FOUND and VERSION_CONFLICT. */
async function lockedOf(
  tx: Db,
  { caller, request }: By,
  params: Named,
  version: number | undefined,
): Promise<CardDispute> {
  const dispute = await lockWithCard(tx, await required(tx, caller, params));
  const meant = version === undefined ? {} : { version };
  requireVersion(dispute.version, versionMeant(meant, request.headers));
  return dispute;
}

const shown = async (db: Db, caller: UserCaller, dispute: CardDispute) =>
  shownCardDispute(await wholeDispute(db, dispute, namesReaderOf(caller)));

/** What admins do for others stands in the audit log. */
async function record(
  tx: Db,
  { caller, request }: By,
  { user_id, object_id }: CardDispute,
  what: string,
): Promise<void> {
  if (caller.user_id === user_id) return;
  await logActivity(tx, {
    action: `CARD_DISPUTE_${what}`,
    actor: caller,
    subject_user_id: user_id,
    details: { dispute_id: object_id },
    request,
  });
}
