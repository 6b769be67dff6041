import type { Db } from '#kernel/db/db.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import type { TryingDeps } from '../deps.ts';
import { emitNamedPayment } from '../events.ts';
import { bookArrival } from '../gateway/book.ts';
import { followTries, withPayment } from '../paid.ts';
import {
  movePayment,
  recordAction,
  recordDispute,
  requireInvoicePayment,
  TRYING,
} from '../payment-store.ts';
import { lockInvoice } from '../store.ts';

type Deps = Omit<TryingDeps, 'trying' | 'paying' | 'hints'>;

/** The payment and its invoice, which is locked first. */
export async function lockedPayment(tx: Db, id: string) {
  const { invoice_id } = await requireInvoicePayment(tx, id);
  const invoice = await lockInvoice(tx, {}, invoice_id);
  const payment = await requireInvoicePayment(tx, id);
  if (!invoice) throw new Error(`${id} has no invoice`);
  return { invoice, payment };
}

/**
 * Books what a card has paid, out of what is set aside for it in the merchant's wallet: it pays the invoice, or is owed to
 * its payer where the invoice was paid meanwhile. Posts.
 */
export async function bookCardMoney(deps: Deps, tx: Db, id: string): Promise<void> {
  const { invoice, payment } = await lockedPayment(tx, id);
  const pulled = await deps.cards.find(tx, id);
  if (!pulled) throw new Error(`${id} has taken nothing from a card`);
  const provider_reference = pulled.reference_id;
  await recordAction(tx, id, { provider_reference, payment_url: null, accounts: null });
  const { operations } = await bookArrival(deps, tx, {
    invoice,
    payment,
    receipt: { id: provider_reference, units: pulled.amount },
    from: { account: invoice.account_id, hold: id },
  });
  await followDispute(tx, id);
  await postAllWithin(tx, operations);
}

/** The network may have taken it back before it was booked. */
async function followDispute(tx: Db, id: string): Promise<void> {
  const payment = await requireInvoicePayment(tx, id);
  if (payment.disputed === 0n || payment.status !== 'SUCCEEDED') return;
  const disputed = await recordDispute(tx, payment, payment.disputed);
  if (disputed) await emitNamedPayment(tx, 'disputed', disputed);
}

/** Nothing was taken: the invoice can be paid again. */
export async function failCardTry(deps: Deps, tx: Db, id: string): Promise<void> {
  const { invoice, payment } = await lockedPayment(tx, id);
  const tried = await deps.cards.find(tx, id);
  const failure = {
    code: 'CARD_DECLINED',
    message: 'Nothing was taken from the card',
    retryable: true,
    ...(tried?.failure && { provider_code: tried.failure }),
    at: deps.clock.now().toISOString(),
  };
  const change = { failure: JSON.stringify(failure) };
  const failed = await movePayment(tx, payment, { from: TRYING, to: 'FAILED' }, change);
  if (!failed) throw new Error(`${id} is not open`);
  await emitNamedPayment(tx, 'failed', failed);
  await followTries(tx, withPayment(invoice, failed));
}
