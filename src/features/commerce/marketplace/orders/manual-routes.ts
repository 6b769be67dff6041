import { Type } from 'typebox';
import { operatorOnly } from '#kernel/access/tenant-scope.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, flat, IdInput, text } from '#kernel/http/declare/schema.ts';
import { assignPayment, type ManualDeps, markRefunded, writeOff } from './manual-resolution.ts';
import { PaymentBody, paymentBody } from './presenters.ts';

const endpoint = endpoints(flatEnvelope);

const params = Type.Object({ payment_id: IdInput });
const reply = { 200: flat({ payment: PaymentBody }) };

/** Payments that no rule can settle: the operator does, and the audit log has who and why. */
export const manualRoutes = (deps: ManualDeps): Route[] => [
  assignRoute(deps),
  markRefundedRoute(deps),
  writeOffRoute(deps),
];

const assignRoute = (deps: ManualDeps): Route =>
  endpoint('POST /marketplace/payments/{payment_id}/assign', {
    name: 'marketplace.assignPayment',
    movesMoney: true,
    auth: 'admin',
    proof: true,
    permit: operatorOnly,
    errors: ['NOT_FOUND', 'INVALID_STATUS', 'INVALID_AMOUNT', 'CONFLICT'],
    summary: 'Pays an order with what a payer is owed, once; the rest stays owed; for the operator',
    params,
    body: Type.Object({
      order_id: explained(text(100), 'PENDING, or CANCELLED because it was not paid in time'),
    }),
    reply,
    async handler(call) {
      const { caller, request, params, body } = call;
      const payment = await assignPayment(deps, { ...params, ...body, caller, request });
      return { payment: paymentBody(deps.evm, payment) };
    },
  });

const markRefundedRoute = (deps: ManualDeps): Route =>
  endpoint('POST /marketplace/payments/{payment_id}/mark-refunded', {
    name: 'marketplace.markPaymentRefunded',
    movesMoney: true,
    auth: 'admin',
    proof: true,
    permit: operatorOnly,
    errors: ['NOT_FOUND', 'INVALID_STATUS', 'CONFLICT'],
    summary:
      'Says that a payer has got back what was owed by other means than a refund; for the operator',
    params,
    body: Type.Object({ note: explained(text(500), 'How, and under which reference') }),
    reply,
    async handler(call) {
      const { caller, request, params, body } = call;
      const payment = await markRefunded(deps, { ...params, ...body, caller, request });
      return { payment: paymentBody(deps.evm, payment) };
    },
  });

const writeOffRoute = (deps: ManualDeps): Route =>
  endpoint('POST /marketplace/payments/{payment_id}/write-off', {
    name: 'marketplace.writeOffPayment',
    movesMoney: true,
    auth: 'admin',
    proof: true,
    permit: operatorOnly,
    errors: ['NOT_FOUND', 'INVALID_STATUS'],
    summary:
      'Says what becomes of a payment that the chain has dropped after it was used; for the operator',
    params,
    body: Type.Object({ note: text(500) }),
    reply,
    async handler(call) {
      const { caller, request, params, body } = call;
      const payment = await writeOff(deps, { ...params, ...body, caller, request });
      return { payment: paymentBody(deps.evm, payment) };
    },
  });
