import { CARD_EVENT, spendCardCost } from '#features/fiat/cards/cards.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError, fail } from '#kernel/error.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import { transact } from '#kernel/transact.ts';
import type { Card } from '#providers/card-network/port.ts';
import { invoiceCharge } from '../charge.ts';
import type { TryingDeps } from '../deps.ts';
import { emitInvoicePayment } from '../events.ts';
import { TRIES_MAX } from '../gateway/start.ts';
import { requireMethod } from '../methods.ts';
import { followTries, requireOpenInvoice, withPayment } from '../paid.ts';
import { type InvoicePayment, insertInvoicePayment } from '../payment-store.ts';
import { lockInvoice, type MerchantInvoice } from '../store.ts';
import { lockedPayment } from './book.ts';

/** How long a payer waits for the booking. */
const PATIENCE_MS = 5000;

export interface CardPaying {
  readonly invoice_id: string;
  /** Whom it costs. */
  readonly requester: Requester;
  readonly request: RequestFacts;
  readonly operation: string;
  /** It goes to the card network and nowhere else. */
  readonly card: Card;
}

/**
 * Takes all that is owed of an invoice from a card. Throws INVALID_STATUS, METHOD_NOT_AVAILABLE, LIMIT_EXCEEDED, CONFLICT,
 * RATE_LIMITED, CARD_DECLINED, and PROVIDER_UNAVAILABLE where the network has not said: then the payment stays open.
 */
export async function payByCard(deps: TryingDeps, paying: CardPaying): Promise<void> {
  const { invoice, payment } = await transact(deps.db, (tx) => write(deps, tx, paying));
  const { request, card } = paying;
  const flow = payment.object_id;
  try {
    await deps.cards.pull({
      caller: invoice,
      page: invoice.object_id,
      operation: payment.payment_id,
      flow,
      permit: (tx) => requireOpen(tx, flow),
      request,
      wallet: invoice,
      money: { asset: invoice.currency, units: payment.amount },
      card,
    });
  } catch (error) {
    await endUntriedCard(deps, flow);
    if (error instanceof AppError) await deps.sagas.drive(flow, { patienceMs: PATIENCE_MS });
    throw error;
  }
  await deps.sagas.drive(flow, { patienceMs: PATIENCE_MS });
}

/** The flow has not ended meanwhile, and does not until the order is stored. */
async function requireOpen(tx: Db, flow: string): Promise<void> {
  const { payment } = await lockedPayment(tx, flow);
  if (payment.status !== 'PENDING') throw fail('CONFLICT', 'The payment has ended');
}

/** What was refused before the network was asked is over at once. */
export const endUntriedCard = (
  { db, cards, sagas }: Pick<TryingDeps, 'db' | 'cards' | 'sagas'>,
  flow: string,
): Promise<void> =>
  transact(db, async (tx) => {
    if (!(await cards.find(tx, flow)))
      await sagas.signal(tx, flow, CARD_EVENT, 'untried', { state: 'FAILED', reference: flow });
  });

interface Begun {
  readonly invoice: MerchantInvoice;
  readonly payment: InvoicePayment;
}

/** The row and its flow, in one transaction. The payer has acted: the invoice waits for the network. */
async function write(deps: TryingDeps, tx: Db, paying: CardPaying): Promise<Begun> {
  const { invoice_id, operation, requester } = paying;
  const invoice = await lockInvoice(tx, {}, invoice_id);
  if (!invoice) throw fail('NOT_FOUND', 'Invoice not found');
  requireOpenInvoice(deps.clock.now(), invoice);
  if (invoice.payments.length >= TRIES_MAX)
    throw fail('LIMIT_EXCEEDED', `An invoice has at most ${TRIES_MAX} payments`, { status: 409 });
  const charged = await invoiceCharge(tx, invoice, 'card');
  await requireMethod(deps, tx, invoice, { method: 'card', units: charged.amount });
  const { client_id, user_id, currency } = invoice;
  await spendCardCost(tx, deps, requester, { asset: currency, units: charged.amount });
  const payment_id = newObjectUuid(deps.clock.ms());
  const object_id = objectId('ipm', payment_id);
  const payment = await insertInvoicePayment(tx, {
    payment_id,
    object_id,
    operation,
    invoice_id,
    client_id,
    user_id,
    method: 'card',
    currency,
    status: 'PENDING',
    ...charged,
  });
  if (!payment) throw fail('CONFLICT', 'The request is under way');
  emitInvoicePayment(tx, 'pending', { ...payment, names: namesGiven('payment') });
  await followTries(tx, withPayment(invoice, payment));
  await deps.sagas.start(tx, deps.paying, {
    id: object_id,
    data: {},
    drivenForMs: 2 * PATIENCE_MS,
  });
  return { invoice, payment };
}
