import { Type } from 'typebox';
import { operatorOnly, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { explained, oneOfWords, stamped, textInput } from '#kernel/http/declare/schema.ts';
import type { TryingDeps } from '../deps.ts';
import { ShownUnmatched, shownUnmatchedMoney } from './events.ts';
import { assignUnmatchedMoney, settleUnmatchedMoney } from './resolve.ts';
import { findUnmatchedMoney, INVOICE_UNMATCHED_STATUSES, listUnmatchedMoney } from './store.ts';

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownUnmatched });
const params = Type.Object({ unmatched_id: objectIdInput('unm') });
const act = { auth: 'admin', proof: true, requiresKey: true, atomic: true, params } as const;

/** Money that pays no invoice: what no rule can decide, people do. */
export const unmatchedMoneyRoutes = (deps: TryingDeps): Route[] => [
  listRoute,
  readRoute,
  assignRoute(deps),
  settleRoute('mark-refunded'),
  settleRoute('write-off'),
];

const listRoute: Route = endpoint('GET /payment-gateway/unmatched', {
  name: 'unmatchedPayments.list',
  auth: 'admin',
  errors: ['INVALID_PAGINATION'],
  summary: 'Lists money that has come in and pays no invoice, newest first',
  query: Type.Object({
    ...cursorQuery,
    status: Type.Optional(oneOfWords(INVOICE_UNMATCHED_STATUSES)),
  }),
  reply: { 200: stamped({ data: cursorPage(ShownUnmatched) }) },
  fault: 'Failed to list payments',
  async handler({ caller, query, db }) {
    const { wanted, page } = cursorReader(query);
    const rows = await listUnmatchedMoney(db, tenantScopeOf(caller), query.status, wanted);
    const data = page(rows, ({ serial }) => serial, shownUnmatchedMoney);
    return new Paged({ data }, data.next_cursor);
  },
});

const readRoute: Route = endpoint('GET /payment-gateway/unmatched/{unmatched_id}', {
  name: 'unmatchedPayments.get',
  auth: 'admin',
  errors: ['NOT_FOUND'],
  summary: 'Shows money that pays no invoice',
  params,
  reply: { 200: One },
  fault: 'Failed to read the payment',
  async handler({ caller, params: { unmatched_id }, db }) {
    const row = await findUnmatchedMoney(db, tenantScopeOf(caller), unmatched_id);
    if (!row) throw fail('NOT_FOUND', 'Payment not found');
    return { data: shownUnmatchedMoney(row) };
  },
});

const assignRoute = (deps: TryingDeps): Route =>
  endpoint('POST /payment-gateway/unmatched/{unmatched_id}/assign', {
    ...act,
    name: 'unmatchedPayments.assign',
    errors: [
      ...(['NOT_FOUND', '409 INVALID_STATUS', 'INVALID_AMOUNT', 'CURRENCY_MISMATCH'] as const),
      'CONFLICT',
    ],
    summary: 'Pays an invoice of the client with such money, once; the rest stays owed',
    body: Type.Object({
      invoice_id: explained(objectIdInput('inv'), 'OPEN or PARTIALLY_PAID'),
    }),
    reply: { 200: One },
    fault: 'Failed to assign the payment',
    async handler({ caller, request, operation, params: { unmatched_id }, body, db }) {
      const given = { caller, request, operation, unmatched_id, ...body };
      return { data: shownUnmatchedMoney(await assignUnmatchedMoney(deps, db, given)) };
    },
  });

const SETTLED = {
  'mark-refunded': {
    name: 'unmatchedPayments.markRefunded',
    summary: 'Says that the payer has got it back by other means; for the operator',
    to: 'REFUNDED',
  },
  'write-off': {
    name: 'unmatchedPayments.writeOff',
    summary: 'Gives such money up; for the operator',
    to: 'WRITTEN_OFF',
  },
} as const;

const settleRoute = (how: keyof typeof SETTLED): Route => {
  const { to, ...named } = SETTLED[how];
  return endpoint(`POST /payment-gateway/unmatched/{unmatched_id}/${how}`, {
    ...act,
    ...named,
    permit: operatorOnly,
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    body: Type.Object({ note: explained(textInput(500), 'How, and under which reference') }),
    reply: { 200: One },
    fault: 'Failed to settle the payment',
    async handler({ caller, request, operation, params: { unmatched_id }, body: { note }, db }) {
      const given = { caller, request, operation, unmatched_id, note, to };
      return { data: shownUnmatchedMoney(await settleUnmatchedMoney(db, given)) };
    },
  });
};
