import { Type } from 'typebox';
import { FIAT } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { operatorOnly } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { PageEnd, pageOf, pageQuery } from '#kernel/http/declare/page.ts';
import { at, endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  AmountInput,
  explained,
  IdInput,
  oneOfWords,
  stamped,
  text,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { ADJUSTMENT_ACTS, actsOf } from './acts.ts';
import { type ApproveDeps, approve, reject, withdrawAdjustment } from './decide.ts';
import { ShownAdjustment, shownAdjustment } from './presenters.ts';
import { propose } from './propose.ts';
import {
  ADJUSTMENT_STATUSES,
  type Adjustment,
  DIRECTIONS,
  findAdjustment,
  KINDS,
  listAdjustments,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);

export type AdjustmentDeps = ApproveDeps & Pick<Kernel, 'clock'>;
type Clocked = Pick<AdjustmentDeps, 'clock'>;

const REASON_MAX = 500;
const PAGE = 50;
const PAGE_MAX = 200;
const One = stamped({ data: ShownAdjustment });
const params = Type.Object({ adjustment_id: Uuid });
const AdjustmentToDecide = named('AdjustmentToDecide', {
  ...ShownAdjustment.properties,
  you_may: explained(
    Type.Array(oneOfWords(ADJUSTMENT_ACTS)),
    'What the reader may do about it; nothing else is accepted from them',
  ),
});

/** Beyond the contract: the operator corrects the ledger, which takes two people. */
export const adjustmentRoutes = (deps: AdjustmentDeps): Route[] => [
  proposeRoute(deps),
  listRoute(deps),
  readRoute(deps),
  approveRoute(deps),
  rejectRoute(deps),
  withdrawRoute(deps),
];

const proposeRoute = ({ clock, config }: AdjustmentDeps): Route =>
  endpoint('POST /adjustments', {
    name: 'adjustments.propose',
    creates: 'adjustment',
    movesMoney: true,
    auth: 'admin',
    permit: operatorOnly,
    errors: [
      ...(['WALLET_NOT_FOUND', 'TRANSACTION_NOT_FOUND'] as const),
      ...(['LIMIT_EXCEEDED', 'NOT_REVERSIBLE', 'ALREADY_REVERSED'] as const),
      'SECOND_PERSON_REQUIRED',
    ],
    summary:
      'Proposes a correction of the ledger, which another admin has to approve within a week',
    body: Type.Object({
      kind: explained(
        oneOfWords(KINDS),
        '`adjustment` gives a wallet something or takes it, `reversal` undoes a posted transfer',
      ),
      reason: explained(text(REASON_MAX), 'Why, for the second person and for the records'),
      of: Type.Optional(
        explained(text(200), 'Of a reversal: the reference of the transfer, as statements have it'),
      ),
      wallet_id: Type.Optional(IdInput),
      direction: Type.Optional(
        explained(oneOfWords(DIRECTIONS), '`credit` gives the wallet something, `debit` takes it'),
      ),
      amount: Type.Optional(AmountInput),
      currency: Type.Optional(oneOfWords(FIAT)),
    }),
    example: {
      kind: 'adjustment',
      wallet_id: 3,
      direction: 'credit',
      amount: '25.00',
      currency: 'USD',
      reason: 'Charged twice on 21 November',
    },
    reply: { 201: One },
    atomic: true,
    fault: 'Failed to propose it',
    async handler({ caller, body, operation, request, db }) {
      const now = clock.now();
      const rule = config;
      const row = await propose(db, body, { caller, request, operation, now, rule });
      return at(201, { data: shownAdjustment(row, now) });
    },
  });

const listRoute = ({ clock }: Clocked): Route =>
  endpoint('GET /adjustments', {
    name: 'adjustments.list',
    auth: 'admin',
    permit: operatorOnly,
    history: true,
    summary:
      'Corrections of the ledger and how they stand, newest first; next page before `next_before`',
    query: Type.Object({
      ...pageQuery(PAGE_MAX),
      status: Type.Optional(oneOfWords(ADJUSTMENT_STATUSES)),
    }),
    reply: {
      200: stamped({
        data: Type.Object({ adjustments: Type.Array(ShownAdjustment), pagination: PageEnd }),
      }),
    },
    fault: 'Failed to read adjustments',
    async handler({ query: { limit = PAGE, before, status }, db }) {
      const found = await listAdjustments(db, { status, before, limit: limit + 1 });
      const { rows, ...more } = pageOf(found, limit, ({ serial }) => serial);
      const adjustments = rows.map((row) => shownAdjustment(row, clock.now()));
      const data = { adjustments, pagination: { limit, ...more } };
      return new Paged({ data }, more.next_before);
    },
  });

const readRoute = ({ clock }: Clocked): Route =>
  endpoint('GET /adjustments/{adjustment_id}', {
    name: 'adjustments.get',
    auth: 'admin',
    permit: operatorOnly,
    errors: ['NOT_FOUND'],
    summary: 'A correction of the ledger with its postings and its people',
    params,
    reply: { 200: stamped({ data: AdjustmentToDecide }) },
    fault: 'Failed to read the adjustment',
    async handler({ caller, params, db }) {
      const row = await findAdjustment(db, params.adjustment_id);
      if (!row) throw fail('NOT_FOUND', 'Adjustment not found');
      const shown = shownAdjustment(row, clock.now());
      return { data: { ...shown, you_may: await actsOf(db, shown, caller) } };
    },
  });

const approveRoute = (deps: AdjustmentDeps): Route =>
  endpoint('POST /adjustments/{adjustment_id}/approve', {
    name: 'adjustments.approve',
    team: 'books:approve',
    movesMoney: true,
    auth: 'admin',
    proof: true,
    permit: operatorOnly,
    errors: [
      ...(['NOT_FOUND', 'INVALID_STATUS', 'SECOND_PERSON_REQUIRED', 'ALREADY_REVERSED'] as const),
      ...(['INSUFFICIENT_BALANCE', 'WALLET_FROZEN', 'ACCOUNT_NOT_ACTIVE'] as const),
      'LIMIT_EXCEEDED',
    ],
    summary: 'Books a correction that another admin has proposed, once',
    params,
    body: Type.Object({}),
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to approve it',
    handler: ({ caller, params, request, db }) =>
      decided(deps, (now) => approve(deps, db, { ...params, caller, request, now })),
  });

const rejectRoute = (deps: AdjustmentDeps): Route =>
  endpoint('POST /adjustments/{adjustment_id}/reject', {
    name: 'adjustments.reject',
    team: 'books:approve',
    auth: 'admin',
    permit: operatorOnly,
    errors: ['NOT_FOUND', 'INVALID_STATUS', 'SECOND_PERSON_REQUIRED'],
    summary: 'Rejects a correction that another admin has proposed, with a reason',
    params,
    body: Type.Object({ reason: text(REASON_MAX) }),
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to reject it',
    handler: ({ caller, params, body: { reason: note }, request, db }) =>
      decided(deps, (now) => reject(db, { ...params, caller, request, now, note })),
  });

const withdrawRoute = (deps: AdjustmentDeps): Route =>
  endpoint('POST /adjustments/{adjustment_id}/withdraw', {
    name: 'adjustments.withdraw',
    auth: 'admin',
    permit: operatorOnly,
    errors: ['NOT_FOUND', 'INVALID_STATUS'],
    summary: 'Withdraws a correction of one’s own',
    params,
    body: Type.Object({}),
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to withdraw it',
    handler: ({ caller, params, request, db }) =>
      decided(deps, (now) => withdrawAdjustment(db, { ...params, caller, request, now })),
  });

async function decided({ clock }: Clocked, decide: (now: Date) => Promise<Adjustment>) {
  const now = clock.now();
  return { data: shownAdjustment(await decide(now), now) };
}
