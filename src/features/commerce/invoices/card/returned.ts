import type { CardFlowOwner, CardFlowReturn } from '#features/fiat/cards/cards.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import type { InvoiceDeps } from '../deps.ts';
import { emitNamedPayment } from '../events.ts';
import { isInvoiceReference } from '../gateway/inbox.ts';
import { type InvoicePayment, recordDispute } from '../payment-store.ts';
import { invoiceHouse, unmatchedTakenBack } from '../postings.ts';
import { failInvoiceRefundWithin } from '../refunds/end.ts';
import { waitingCardRefunds } from '../refunds/refund-store.ts';
import type { MerchantInvoice } from '../store.ts';
import { emitUnmatchedMoney } from '../unmatched/events.ts';
import {
  editUnmatchedMoney,
  endUnmatchedMoney,
  lockUnmatchedOfPayment,
  type UnmatchedMoney,
} from '../unmatched/store.ts';
import { lockedPayment } from './book.ts';

type Deps = Pick<InvoiceDeps, 'clock'>;

const TAKEN_BACK = {
  code: 'ALREADY_RETURNED',
  message: 'The card network has taken the payment back',
  retryable: false,
};

/**
 * Invoices go by what the card network takes back of their payments: the payment is disputed, the merchant's wallet pays
 * what it can, and its owner owes the rest.
 */
export const invoiceCardOwner = (deps: Deps): CardFlowOwner => ({
  owns: isInvoiceReference,
  owedTo: (tx, currency) => invoiceHouse(tx, 'owed', currency),
  returned: (tx, change) => followReturn(deps, tx, change),
});

async function followReturn(
  deps: Deps,
  tx: Db,
  { row, before, now }: CardFlowReturn,
): Promise<readonly Operation[]> {
  const { invoice, payment } = await lockedPayment(tx, row.flow ?? '');
  const disputed = await recordDispute(tx, payment, now);
  if (!disputed) throw new Error(`${payment.object_id} has changed meanwhile`);
  if (disputed.status !== payment.status)
    await emitNamedPayment(tx, now > 0n ? 'disputed' : 'restored', disputed);
  if (now <= before) return [];
  return [
    ...(await endWaitingRefunds(deps, tx, payment.payment_id)),
    ...(await takeUnmatched(tx, { invoice, payment, before, now })),
  ];
}

/** Money goes back once: what waits for its payer to bring the card does not any more. */
async function endWaitingRefunds(deps: Deps, tx: Db, payment_id: string): Promise<Operation[]> {
  const operations: Operation[] = [];
  for (const id of await waitingCardRefunds(tx, payment_id)) {
    const end = { from: 'AWAITING_PAYER', failure: TAKEN_BACK } as const;
    const failed = await failInvoiceRefundWithin(deps, tx, id, end);
    operations.push(...(failed?.operations ?? []));
  }
  return operations;
}

/** What of it has paid no invoice is not the merchant's: it moves to the wallet that the network's claim is taken from. */
async function takeUnmatched(
  tx: Db,
  { invoice, payment, before, now }: Taken,
): Promise<Operation[]> {
  const operations: Operation[] = [];
  let left = now - before;
  for (const stray of await lockUnmatchedOfPayment(tx, payment.payment_id)) {
    const isOpen = stray.status === 'OPEN';
    // What was given up is the house's: the first time that it is taken, it was all there.
    const there = isOpen ? stray.owed : before === 0n ? stray.amount : 0n;
    const taken = there < left ? there : left;
    if (taken === 0n) continue;
    left -= taken;
    if (isOpen) await settle(tx, stray, taken);
    const from = isOpen ? 'unmatched' : 'writeOffs';
    operations.push(await unmatchedTakenBack(tx, invoice, { stray, amount: taken, from }));
  }
  return operations;
}

interface Taken extends Pick<CardFlowReturn, 'before' | 'now'> {
  readonly invoice: MerchantInvoice;
  readonly payment: InvoicePayment;
}

async function settle(tx: Db, stray: UnmatchedMoney, taken: bigint): Promise<void> {
  const owed = stray.owed - taken;
  if (owed > 0n) {
    await editUnmatchedMoney(tx, stray, { owed });
    return;
  }
  const settled_note = 'Taken back by the card network';
  emitUnmatchedMoney(
    tx,
    'refunded',
    await endUnmatchedMoney(tx, stray, 'REFUNDED', { owed, settled_note }),
  );
}
