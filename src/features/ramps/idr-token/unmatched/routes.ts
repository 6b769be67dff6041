import { Type } from 'typebox';
import { operatorOnly } from '#kernel/access/tenant-scope.ts';
import { PageEnd, pageOf, pageQuery } from '#kernel/http/declare/page.ts';
import { Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  AmountInput,
  explained,
  flat,
  IdInput,
  oneOfWords,
  text,
} from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import type { IdrBase } from '../deps.ts';
import { idrTokenEndpoint } from '../envelope.ts';
import { UnmatchedBody, unmatchedBody } from './events.ts';
import { assignStrayPayment, markPaymentRefunded, refundPayment } from './resolve.ts';
import { listUnmatched } from './store.ts';

const PAGE = 50;
const PAGE_MAX = 200;

const params = Type.Object({ payment_id: IdInput });
const reply = { 200: flat({ data: UnmatchedBody, message: Type.String() }) };
const common = { auth: 'admin', proof: true, permit: operatorOnly } as const;

/** Payments that pay no purchase: the operator settles those that no rule can. */
export const strayPaymentRoutes = (deps: IdrBase): Route[] => [
  listRoute(),
  assignRoute(deps),
  refundRoute(deps),
  markRefundedRoute(deps),
];

const listRoute = (): Route =>
  idrTokenEndpoint('GET /idrtoken/payments', {
    name: 'idrTokens.listPayments',
    auth: 'admin',
    permit: operatorOnly,
    history: true,
    summary:
      'Money that came in too late, once more or as another sum and is owed to its payer; newest first, for the operator',
    query: Type.Object(pageQuery(PAGE_MAX, ID_MAX)),
    reply: { 200: flat({ data: Type.Array(UnmatchedBody), pagination: PageEnd }) },
    fault: 'Failed to list payments',
    async handler({ query: { limit = PAGE, before }, db }) {
      const found = await listUnmatched(db, { before, limit: limit + 1 });
      const { rows, has_more, next_before } = pageOf(found, limit, ({ payment_id }) => payment_id);
      const pagination = { limit, has_more, next_before };
      return new Paged({ data: rows.map(unmatchedBody), pagination }, next_before);
    },
  });

const assignRoute = (deps: IdrBase): Route =>
  idrTokenEndpoint('POST /idrtoken/payments/{payment_id}/assign', {
    name: 'idrTokens.assignPayment',
    movesMoney: true,
    ...common,
    errors: ['NOT_FOUND', 'TRANSACTION_NOT_FOUND', 'INVALID_STATUS', 'INVALID_AMOUNT', 'CONFLICT'],
    summary:
      'Pays a purchase with money that is owed to its payer, and mints it, once; the rest stays owed; for the operator',
    params,
    body: Type.Object({
      reference_id: Type.Optional(
        explained(text(100), 'Another purchase of the same person, PENDING or CANCELLED'),
      ),
      amount: Type.Optional(
        explained(
          AmountInput,
          'The rupiah of tokens that were agreed upon instead of the ordered ones',
        ),
      ),
    }),
    reply,
    fault: 'Failed to assign the payment',
    async handler({ caller, request, params, body }) {
      const row = await assignStrayPayment(deps, { ...params, ...body, caller, request });
      return { data: unmatchedBody(row), message: 'The payment pays the purchase' };
    },
  });

const refundRoute = (deps: IdrBase): Route =>
  idrTokenEndpoint('POST /idrtoken/payments/{payment_id}/refund', {
    name: 'idrTokens.refundPayment',
    movesMoney: true,
    ...common,
    errors: ['NOT_FOUND', 'INVALID_STATUS'],
    summary:
      'Credits money that is owed to its payer’s IDR wallet, once, without a fee; for the operator',
    params,
    body: Type.Object({}),
    reply,
    fault: 'Failed to refund the payment',
    async handler({ caller, request, params }) {
      const row = await refundPayment(deps, { ...params, caller, request });
      return { data: unmatchedBody(row), message: 'The payment was credited to the IDR wallet' };
    },
  });

const markRefundedRoute = (deps: IdrBase): Route =>
  idrTokenEndpoint('POST /idrtoken/payments/{payment_id}/mark-refunded', {
    name: 'idrTokens.markPaymentRefunded',
    movesMoney: true,
    ...common,
    errors: ['NOT_FOUND', 'INVALID_STATUS'],
    summary:
      'Says that a payer has got money back by other means than a refund of ours; for the operator',
    params,
    body: Type.Object({
      note: explained(text(500), 'How, and under which reference'),
      source: Type.Optional(
        explained(
          oneOfWords(['GATEWAY', 'ELSEWHERE'] as const),
          '`GATEWAY`: the gateway has sent it back and holds less for us; `ELSEWHERE` unless it is said',
        ),
      ),
    }),
    reply,
    fault: 'Failed to mark the payment',
    async handler({ caller, request, params, body: { note, source = 'ELSEWHERE' } }) {
      const row = await markPaymentRefunded(deps, { ...params, note, source, caller, request });
      return { data: unmatchedBody(row), message: 'The payment is marked as refunded' };
    },
  });
