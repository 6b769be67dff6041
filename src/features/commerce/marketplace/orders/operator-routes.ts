import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { operatorOnly } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { PageEnd, pageOf, pageQuery } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { explained, flat, IdInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import { transact } from '#kernel/transact.ts';
import type { MarketDeps } from '../deps.ts';
import { endOrder } from './end-order.ts';
import { emitPayment } from './events.ts';
import { OrderBody, orderBody, PaymentBody, paymentBody } from './presenters.ts';
import type { RefundEffect } from './refund.ts';
import { findMarketplacePayment, listLost, listOwed, startRefund } from './refund-store.ts';

const endpoint = endpoints(flatEnvelope);

type Deps = MarketDeps & { readonly refunds: RefundEffect };

/** Beyond the contract: the operator's acts, since no marketplace sells by its API. */
export const operatorRoutes = (deps: Deps): Route[] => [
  fulfilmentRoute(deps),
  listRoute(deps),
  refundRoute(deps),
];

const fulfilmentRoute = (deps: Deps): Route =>
  endpoint('POST /marketplace/orders/{order_id}/fulfilment', {
    name: 'marketplace.fulfil',
    movesMoney: true,
    auth: 'admin',
    permit: operatorOnly,
    errors: ['NOT_FOUND', 'MISSING_FIELDS', 'INVALID_STATUS', 'CONFLICT'],
    summary:
      "Says that a paid order is bought at the shop, under the shop's number; or that it cannot be had, and why",
    params: Type.Object({ order_id: text(100) }),
    body: Type.Object({
      status: oneOfWords(['COMPLETED', 'FAILED'] as const),
      vendor_reference: Type.Optional(text(200)),
      reason: Type.Optional(text(500)),
    }),
    reply: { 200: flat({ order: OrderBody }) },
    async handler(call) {
      const { caller, params, body, request } = call;
      const { status, vendor_reference, reason } = body;
      if (status === 'COMPLETED' && vendor_reference === undefined)
        throw fail('MISSING_FIELDS', 'vendor_reference is required');
      if (status === 'FAILED' && reason === undefined)
        throw fail('MISSING_FIELDS', 'reason is required');
      const end =
        status === 'COMPLETED'
          ? { vendor_reference: vendor_reference ?? '' }
          : { failure: reason ?? '' };
      const order = await endOrder(deps, { ...params, end, caller, request });
      return { order: orderBody(order) };
    },
  });

const PAGE = 50;
const PAGE_MAX = 200;

const listRoute = ({ evm }: Deps): Route =>
  endpoint('GET /marketplace/payments', {
    name: 'marketplace.listPayments',
    auth: 'admin',
    permit: operatorOnly,
    history: true,
    summary:
      'What was paid and is owed to its payer, or was used and then dropped by its chain; newest first, for the operator',
    query: Type.Object({
      ...pageQuery(PAGE_MAX, ID_MAX),
      show: Type.Optional(explained(oneOfWords(['owed', 'lost']), '`owed` unless it is said')),
    }),
    reply: {
      200: flat({
        payments: Type.Array(PaymentBody),
        pagination: PageEnd,
      }),
    },
    async handler(call) {
      const { limit = PAGE, before, show = 'owed' } = call.query;
      const list = show === 'owed' ? listOwed : listLost;
      const found = await list(call.db, { before, limit: limit + 1 });
      const { rows, has_more, next_before } = pageOf(found, limit, ({ payment_id }) => payment_id);
      const payments = rows.map((row) => paymentBody(evm, row));
      return new Paged({ payments, pagination: { limit, has_more, next_before } }, next_before);
    },
  });

const refundRoute = (deps: Deps): Route =>
  endpoint('POST /marketplace/payments/{payment_id}/refund', {
    name: 'marketplace.refundPayment',
    movesMoney: true,
    auth: 'admin',
    proof: true,
    permit: operatorOnly,
    errors: [
      'NOT_FOUND',
      'INVALID_STATUS',
      'CONFLICT',
      'INSUFFICIENT_FUNDS',
      'NOT_READY',
      'PROVIDER_REJECTED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: 'Sends back from the treasury what a payer is owed, once; for the operator',
    params: Type.Object({ payment_id: IdInput }),
    body: Type.Object({}),
    reply: { 200: flat({ payment: PaymentBody }) },
    async handler(call) {
      const { db, effects, refunds, evm } = deps;
      const { payment_id } = call.params;
      const intent = await transact(db, async (tx) => {
        const row = await startRefund(tx, payment_id, call.caller.user_id);
        if (row === undefined) return undefined;
        emitPayment(tx, 'refund_started', { evm, row });
        await logActivity(tx, {
          action: 'MARKETPLACE_REFUND',
          actor: call.caller,
          details: { payment_id },
          request: call.request,
        });
        return effects.begin(tx, refunds, String(payment_id));
      });
      if (intent) await effects.drive(refunds, String(payment_id), { intent });
      const payment = await findMarketplacePayment(db, payment_id);
      if (payment === undefined) throw fail('NOT_FOUND', 'Payment not found');
      if (!intent && !['SENDING', 'SENT'].includes(payment.refund))
        throw fail('INVALID_STATUS', 'There is nothing to send back');
      return { payment: paymentBody(evm, payment) };
    },
  });
