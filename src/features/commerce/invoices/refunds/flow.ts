import type {
  PayoutFlow,
  PayoutMemory,
  PayoutPayer,
  Payouts,
} from '#features/fiat/payouts/payouts.ts';
import { bankFlow, ending } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { type Machine, machineOf } from '#kernel/effects/saga-machine.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { completeInvoiceRefund, failInvoiceRefund, returnInvoiceRefund } from './end.ts';
import { payeeOfRefund } from './payee.ts';
import { recordRefundReference, requireInvoiceRefund } from './refund-store.ts';

export interface RefundFlowDeps extends Pick<Kernel, 'clock' | 'sagas' | 'vault' | 'log'> {
  readonly payouts: Payouts;
}

const PAYER = 'invoice-refunds';
const REFERENCE = /^rfd_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
export const isRefundReference = (reference: string): boolean => REFERENCE.test(reference);
const ID_MAX = 200;

/** How a refund goes to a bank; the flow and the gateway know it by its id. */
export const invoiceRefundFlow = (
  deps: RefundFlowDeps,
): PayoutFlow<PayoutMemory> & { readonly payer: PayoutPayer } =>
  bankFlow<PayoutMemory>(deps.sagas, {
    name: PAYER,
    rail: PAYER,
    table: 'invoice_refunds',
    event: 'payout',
    flowOf: (reference) => (isRefundReference(reference) ? reference : undefined),
    async requestOf(db, { id: reference }) {
      const row = await requireInvoiceRefund(db, reference);
      return {
        reference,
        units: row.amount,
        asset: 'IDR',
        to: payeeOfRefund(deps, row),
        description: `Refund of ${row.invoice}`,
        client_id: row.client_id,
      };
    },
    accepted: (tx, { id }, answer) => recordRefundReference(tx, id, answer.id.slice(0, ID_MAX)),
    bookReturn: (tx, reference, failure) => returnInvoiceRefund(deps, tx, reference, failure),
  });

const { machine } = machineOf<PayoutMemory>();

/** Asked for, awaited; then paid, or failed and given back to where it came from. */
export const invoiceRefundMachine = (
  deps: RefundFlowDeps,
  flow: PayoutFlow<PayoutMemory>,
): Machine<PayoutMemory> =>
  machine({
    type: 'invoice-refund',
    initial: 'pay',
    concurrency: 8,
    states: {
      ...deps.payouts.states(flow, {
        pay: 'pay',
        wait: 'wait',
        ask: 'ask',
        paid: 'paid',
        failed: 'failed',
      }),
      paid: ending<PayoutMemory>((tx, { id }) => completeInvoiceRefund(tx, id)),
      failed: ending<PayoutMemory>((tx, { id, data }) => refused(deps, tx, id, data)),
    },
  });

async function refused(
  deps: RefundFlowDeps,
  tx: Db,
  id: string,
  { failure: provider_code }: PayoutMemory,
): Promise<void> {
  deps.log.warn({ reference: id, failure: provider_code }, 'A refund could not be paid');
  const failure = {
    code: 'PROVIDER_REJECTED',
    message: 'The bank did not pay it',
    retryable: true,
    ...(provider_code !== undefined && { provider_code }),
  };
  const ended = await failInvoiceRefund(deps, tx, id, { from: 'PENDING', failure });
  if (!ended) throw new Error(`${id} is not being paid`);
}
