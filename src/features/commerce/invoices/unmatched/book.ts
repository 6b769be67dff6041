import type { Db } from '#kernel/db/db.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { arrivedParts } from '../charge.ts';
import type { TryingDeps } from '../deps.ts';
import type { InvoicePayment } from '../payment-store.ts';
import { invoiceHouse, type MoneySource, unmatchedInvoiceMoney } from '../postings.ts';
import type { MerchantInvoice } from '../store.ts';
import { emitUnmatchedMoney } from './events.ts';
import { type InvoiceUnmatchedReason, insertUnmatchedMoney } from './store.ts';

type BookingDeps = Pick<TryingDeps, 'clock' | 'log'>;

interface Stray {
  readonly payment: InvoicePayment;
  /** The id that the gateway or the card network gave it. */
  readonly receipt: string;
  readonly amount: bigint;
  readonly reason: InvoiceUnmatchedReason;
  readonly from: MoneySource;
}

/** Writes down money that pays no invoice, once, and answers its posting. */
export async function unmatchMoney(
  { clock, log }: BookingDeps,
  tx: Db,
  invoice: MerchantInvoice,
  { payment, receipt, amount, reason, from }: Stray,
): Promise<Operation[]> {
  const unmatched_id = newObjectUuid(clock.ms());
  const row = await insertUnmatchedMoney(tx, {
    unmatched_id,
    object_id: objectId('unm', unmatched_id),
    client_id: invoice.client_id,
    user_id: invoice.user_id,
    invoice_id: invoice.invoice_id,
    payment_id: payment.payment_id,
    receipt,
    currency: invoice.currency,
    amount,
    reason,
  });
  if (!row) return [];
  log.warn(
    { invoice: invoice.object_id, unmatched: row.object_id, reason },
    'Money has come in that pays no invoice',
  );
  emitUnmatchedMoney(tx, 'unmatched', row);
  return [await unmatchedInvoiceMoney(tx, row, from)];
}

/** Parts of an invoice that has ended unpaid are owed to their payers. */
export async function unmatchParts(
  deps: BookingDeps,
  tx: Db,
  invoice: MerchantInvoice,
): Promise<Operation[]> {
  const operations: Operation[] = [];
  for (const payment of arrivedParts(invoice)) {
    const from = { account: await invoiceHouse(tx, 'partial', invoice.currency) };
    const { amount, object_id: receipt } = payment;
    operations.push(
      ...(await unmatchMoney(deps, tx, invoice, {
        payment,
        receipt,
        amount,
        from,
        reason: 'UNDERPAID',
      })),
    );
  }
  return operations;
}
