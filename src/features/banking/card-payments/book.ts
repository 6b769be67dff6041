import type { IssuedCard } from '#features/banking/issued-cards/issued-cards.ts';
import { feeOf } from '#features/fiat/fees/fees.ts';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { ObjectFailure } from '#kernel/http/declare/state-fields.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { isNotCovered } from '#kernel/ledger/batch.ts';
import { postOrOwe } from '#kernel/ledger/debts.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import type { CardMessage } from '#providers/issuing/port.ts';
import { emitCardPaymentChange } from './events.ts';
import {
  addToSum,
  type CardPayment,
  type ElementType,
  insertCardElement,
  insertCardPayment,
  lockNamedPayment,
  namePayment,
  setHolding,
} from './payment-store.ts';
import {
  capturedBy,
  cardPostingsOf,
  type PaymentChange,
  smaller,
  walletCostOf,
} from './postings.ts';

export type PayingCard = Pick<
  IssuedCard,
  'card_id' | 'client_id' | 'user_id' | 'wallet_id' | 'currency'
> & { readonly account_id: number };

/** A message that is booked as an element of a payment. */
export interface Booking {
  readonly card: PayingCard;
  readonly message: CardMessage;
  readonly type: ElementType;
  readonly amount: bigint;
  readonly isFinal: boolean;
  /** The whole amount is held, or nothing is done: a yes of ours. Throws where the wallet has less. */
  readonly mustHold: boolean;
  readonly decision_id: string | null;
  /** Where it was looked for already: the payment, or the id that a new one gets. */
  readonly found?: { readonly payment: CardPayment | undefined; readonly new_id: string };
  readonly failure?: ObjectFailure;
}

export interface Booked {
  readonly before: CardPayment | undefined;
  readonly after: CardPayment;
}

type Deps = { readonly clock: Clock };

const DAY_MS = 86_400_000;
const HOLD_DAYS = 7;

/** By what a message names its payment, in the order in which they count. */
export const messageNames = ({ token, follows, networkReference }: CardMessage): string[] => [
  ...(follows === undefined ? [] : [`transaction:${follows}`]),
  `transaction:${token}`,
  ...(networkReference === undefined ? [] : [`network:${networkReference}`]),
];

/** The network's number, else that of the processor. */
export const networkReferenceOf = ({ networkReference, token }: CardMessage): string =>
  networkReference ?? token;

/**
 * Books a message as an element of its payment, once, and the money that moves with it, last in the transaction. The
 * card is locked. What is held and paid follows from the sums alone, so that messages may come in any order. Undefined
 * where the message has counted before.
 */
export async function bookElement(
  deps: Deps,
  tx: Db,
  booking: Booking,
): Promise<Booked | undefined> {
  const { card, message, type, amount, isFinal } = booking;
  const known = booking.found
    ? booking.found.payment
    : await lockNamedPayment(tx, card.card_id, messageNames(message));
  const payment = known ?? (await beginPayment(deps, tx, booking));
  const element_id = await insertCardElement(tx, {
    payment_id: payment.payment_id,
    card_id: card.card_id,
    type,
    amount,
    network_reference: networkReferenceOf(message),
    sequence: message.sequence,
    transaction_token: message.token,
    decision_id: booking.decision_id,
    is_final: isFinal,
    at: (message.at ?? deps.clock.now()).toISOString(),
  });
  if (element_id === undefined) return undefined;
  await namePayment(tx, payment, messageNames(message));
  const after = await addToSum(tx, payment, {
    type,
    amount,
    closes: isFinal,
    flags: type === 'settlement' && isFarAbove(payment, amount),
    holdsUntil: HOLDING.has(type) ? holdsUntil(deps) : undefined,
  });
  const change = { key: `issued-card:${element_id}`, before: payment, after };
  const booked = await post(tx, change, booking.mustHold);
  await notice(tx, known, booked, booking);
  return { before: known, after: booked };
}

const HOLDING: ReadonlySet<ElementType> = new Set(['authorization', 'increment', 'advice']);
const holdsUntil = ({ clock }: Deps): string =>
  new Date(clock.ms() + HOLD_DAYS * DAY_MS).toISOString();

/** More than a fifth above what was authorised and is not settled yet. */
const isFarAbove = ({ held, authorized }: CardPayment, amount: bigint): boolean =>
  authorized > 0n && amount * 5n > held * 6n;

async function beginPayment({ clock }: Deps, tx: Db, booking: Booking): Promise<CardPayment> {
  const { card, message, type } = booking;
  const { merchant, foreign } = message;
  const payment_id = booking.found?.new_id ?? newObjectUuid(clock.ms());
  return insertCardPayment(tx, {
    payment_id,
    object_id: objectId('ctx', payment_id),
    card_id: card.card_id,
    client_id: card.client_id,
    user_id: card.user_id,
    wallet_id: card.wallet_id,
    account_id: card.account_id,
    currency: card.currency as Fiat,
    merchant_id: merchant.id ?? null,
    merchant_name: merchant.name,
    mcc: merchant.mcc ?? null,
    merchant_city: merchant.city ?? null,
    merchant_country: merchant.country ?? null,
    merchant_amount: foreign?.amount ?? null,
    merchant_currency: foreign?.currency ?? null,
    markup_bps: foreign ? await markupOf(tx, card, booking.amount) : 0,
    is_check: type === 'validation',
    holds_until: holdsUntil({ clock }),
    failure: (booking.failure ?? null) as CardPayment['failure'],
  });
}

/** Of a purchase in another currency, by the client's rows or the operator's. */
export async function markupOf(
  tx: Db,
  { client_id, currency }: Pick<PayingCard, 'client_id' | 'currency'>,
  units: bigint,
): Promise<number> {
  const amount = { asset: currency as Fiat, units };
  const { terms } = await feeOf(tx, { client_id, rail: 'issued_card', method: 'markup', amount });
  return terms?.bps ?? 0;
}

/** Posts a change, and answers the payment with what the ledger holds for it then. */
async function post(
  tx: Db,
  change: Omit<PaymentChange, 'holding'>,
  mustHold: boolean,
): Promise<CardPayment> {
  const wanted = await holdingAfter(tx, change, mustHold);
  const attempt = async (holding: bigint): Promise<CardPayment> => {
    const operations = await cardPostingsOf(tx, { ...change, holding });
    if (operations.length > 0) await postOrOwe(tx, operations);
    return setHolding(tx, change.after, holding);
  };
  try {
    return await attempt(wanted);
  } catch (error) {
    // Spent meanwhile: what others have said yes to is booked all the same, without a hold.
    if (mustHold || !isNotCovered(error)) throw error;
    const least = (change.before?.holding ?? 0n) - capturedBy(change);
    return attempt(smaller(least, wanted));
  }
}

async function holdingAfter(
  tx: Db,
  change: Omit<PaymentChange, 'holding'>,
  mustHold: boolean,
): Promise<bigint> {
  const { before, after } = change;
  const target = after.held + after.held_markup;
  const captured = capturedBy(change);
  const left = (before?.holding ?? 0n) - captured;
  if (target <= left || mustHold) return target;
  const { available } = await balanceOf(tx, after.account_id);
  // What the same posting takes from the wallet beside that.
  const free = available - (walletCostOf(change) - captured);
  if (free <= 0n) return left;
  return left + smaller(free, target - left);
}

/** Tells what has changed, and gives limits back where nothing was paid. */
async function notice(
  tx: Db,
  before: CardPayment | undefined,
  after: CardPayment,
  { type }: Booking,
): Promise<void> {
  const isOver = after.status === 'REVERSED' || after.status === 'EXPIRED';
  if (isOver && before?.status !== after.status)
    await giveBackLimits(tx, { operation: after.payment_id, kind: 'card' });
  await emitCardPaymentChange(tx, before, after, type);
}
