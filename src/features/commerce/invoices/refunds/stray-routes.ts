import { Type } from 'typebox';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField, objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, stamped } from '#kernel/http/declare/schema.ts';
import { transact } from '#kernel/transact.ts';
import { ShownUnmatched, shownUnmatchedMoney } from '../unmatched/events.ts';
import { findUnmatchedMoney } from '../unmatched/store.ts';
import { claimUrlOf } from './claim-link.ts';
import type { RefundDeps } from './deps.ts';
import { invoiceRefundOfOperation, requireInvoiceRefund } from './refund-store.ts';
import { refundStray } from './refund-stray.ts';
import { ClaimUrl } from './shown.ts';
import { REFUND_PATIENCE_MS } from './to-bank.ts';

const endpoint = endpoints(codedEnvelope);

const RefundedStray = named('RefundedInvoiceMoney', {
  ...ShownUnmatched.properties,
  refund_id: explained(objectIdField('rfd'), 'By which the bank knows it'),
  claim_url: ClaimUrl,
});

/** Money that pays no invoice, back to its payer. */
export const strayRefundRoute = (deps: RefundDeps): Route =>
  endpoint('POST /payment-gateway/unmatched/{unmatched_id}/refund', {
    name: 'unmatchedPayments.refund',
    auth: 'admin',
    proof: true,
    requiresKey: true,
    params: Type.Object({ unmatched_id: objectIdInput('unm') }),
    errors: [
      ...(['NOT_FOUND', '409 INVALID_STATUS', 'RAIL_NOT_AVAILABLE', 'CURRENCY_MISMATCH'] as const),
      ...(['RECIPIENT_UNAVAILABLE', 'AMOUNT_BELOW_MINIMUM', 'PROVIDER_NOT_CONFIGURED'] as const),
      ...(['CONFLICT', 'REFUND_NOT_POSSIBLE'] as const),
    ],
    summary: 'Gives all that is owed of such money back to a bank account',
    body: Type.Object({
      recipient_id: Type.Optional(
        explained(
          objectIdInput('rcp'),
          'A bank account of the client’s; the customer of the invoice is asked without it',
        ),
      ),
    }),
    reply: { 200: stamped({ data: RefundedStray }) },
    fault: 'Failed to refund the payment',
    async handler({ caller, request, operation, params: { unmatched_id }, body, db }) {
      const act = { caller, request, operation, unmatched_id, recipient_id: body.recipient_id };
      const refund =
        (await invoiceRefundOfOperation(db, operation)) ??
        (await transact(db, (tx) => refundStray(deps, tx, act))).refund;
      const { object_id: refund_id } = refund;
      if (refund.status === 'PENDING')
        await deps.sagas.drive(refund_id, { patienceMs: REFUND_PATIENCE_MS });
      const stray = await findUnmatchedMoney(db, {}, refund.unmatched_id ?? unmatched_id);
      if (!stray) throw new Error(`There is no ${unmatched_id}`);
      const claim_url = claimUrlOf(deps, await requireInvoiceRefund(db, refund_id));
      return { data: { ...shownUnmatchedMoney(stray), refund_id, claim_url } };
    },
  });
