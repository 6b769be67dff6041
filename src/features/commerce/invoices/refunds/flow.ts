import { bankPayments, type Payouts } from '#features/fiat/payouts/payouts.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { completeInvoiceRefund, failInvoiceRefund, returnInvoiceRefund } from './end.ts';
import { payeeOfRefund } from './payee.ts';
import { recordRefundReference, requireInvoiceRefund } from './refund-store.ts';

interface FlowDeps extends Pick<Kernel, 'clock' | 'sagas' | 'vault' | 'log'> {
  readonly payouts: Payouts;
}

const REFERENCE = /^rfd_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
export const isRefundReference = (reference: string): boolean => REFERENCE.test(reference);

/** Asked for, awaited; then paid, or failed and given back to where it came from. */
export const refundsToBanks = (deps: FlowDeps): ReturnType<typeof bankPayments> =>
  bankPayments(deps, {
    name: 'invoice-refunds',
    type: 'invoice-refund',
    prefix: 'rfd',
    table: 'invoice_refunds',
    concurrency: 8,
    retryable: true,
    async orderOf(db, id) {
      const row = await requireInvoiceRefund(db, id);
      const { amount: units, invoice, client_id } = row;
      const to = payeeOfRefund(deps, row);
      return { units, asset: 'IDR', to, description: `Refund of ${invoice}`, client_id };
    },
    accepted: recordRefundReference,
    paid: completeInvoiceRefund,
    async failed(tx, id, failure) {
      const ended = await failInvoiceRefund(deps, tx, id, { from: 'PENDING', failure });
      if (!ended) throw new Error(`${id} is not being paid`);
    },
    returned: (tx, id, failure) => returnInvoiceRefund(deps, tx, id, failure),
  });
