import { randomUUID } from 'node:crypto';
import type { CardPulls } from '#features/fiat/cards/cards.ts';
import { AppError, fail, wrongField } from '#kernel/error.ts';
import { type Card, readCard } from '#providers/card-network/port.ts';
import { beginCardano, type CardanoOrderInput, type StartedCardanoOrder } from './begin.ts';
import type { RampRouteDeps } from './deps.ts';
import { reference } from './presenters.ts';
import {
  type CardanoOrder,
  cardanoFlowId,
  chargedFor,
  getCardanoOrder,
  lockIfOpen,
  markCardRepaid,
} from './store.ts';

/** How long a caller waits for the chain. */
const PATIENCE_MS = 30_000;
const RETRY_S = 30;

/** Runs the order and returns it when it has ended. Throws the caller's error where it has failed or goes on. */
export async function fromWallet(
  deps: RampRouteDeps,
  input: CardanoOrderInput,
): Promise<CardanoOrder> {
  const { order } = await beginCardano(deps, input);
  return endOf(await drive(deps, order));
}

/** The same with money from a card, whose number goes to the card network and nowhere else. */
export async function fromCard(
  deps: RampRouteDeps,
  input: CardanoOrderInput,
  typed: { readonly cardNumber: string; readonly expiry_date?: string },
): Promise<CardanoOrder> {
  const card = cardOf(deps, typed);
  const begun = await beginCardano(deps, input);
  const { order } = begun;
  const pull = { ...pullOf(begun, input), card };
  if (order.status === 'OPEN' && order.card_reference === null)
    await pulled(deps, order, () => deps.cards.pull(pull));
  const ended = await drive(deps, order);
  if (ended.status === 'FAILED' && ended.given_back === 'WALLET')
    return endOf(await repayCard(deps, ended, pull));
  return endOf(ended);
}

function cardOf(
  { clock }: RampRouteDeps,
  typed: { readonly cardNumber: string; readonly expiry_date?: string },
): Card {
  const { cardNumber: number, expiry_date: expiry } = typed;
  const read = readCard({ number, ...(expiry !== undefined && { expiry }) }, clock.now());
  if ('card' in read) return read.card;
  const isNumber = read.fault === 'number';
  const field = isNumber ? 'cardNumber' : 'expiry_date';
  const message = isNumber ? 'is not a card number' : 'is not in the future';
  throw wrongField(field, message);
}

type Pull = Parameters<CardPulls['pull']>[0];

const pullOf = (
  { order, wallet }: StartedCardanoOrder,
  { caller, request }: CardanoOrderInput,
): Omit<Pull, 'card'> => ({
  caller,
  request,
  wallet,
  operation: order.order_id,
  flow: cardanoFlowId(order.order_id),
  money: { asset: order.currency_from, units: chargedFor(order) },
  async permit(tx) {
    if (!(await lockIfOpen(tx, order.order_id))) throw orderFailed(order, 'CARD');
  },
});

/** A declined card ends the flow, too, before the caller gets the answer. */
async function pulled(
  deps: RampRouteDeps,
  order: CardanoOrder,
  pull: () => Promise<unknown>,
): Promise<void> {
  try {
    await pull();
  } catch (error) {
    if (error instanceof AppError) await drive(deps, order);
    throw error;
  }
}

async function drive(
  { db, sagas }: RampRouteDeps,
  { order_id, status }: CardanoOrder,
): Promise<CardanoOrder> {
  if (status === 'OPEN') await sagas.drive(cardanoFlowId(order_id), { patienceMs: PATIENCE_MS });
  return getCardanoOrder(db, order_id);
}

/**
 * The wallet has the price of a mint that failed; while the card is here the price goes back to it. A refund that
 * the card network refuses stays in the wallet.
 */
async function repayCard(
  { db, cards, log }: RampRouteDeps,
  order: CardanoOrder,
  pull: Pull,
): Promise<CardanoOrder> {
  const original = await cards.find(db, pull.flow);
  if (original?.state !== 'SETTLED') return order;
  try {
    await cards.giveBack(original, { ...pull, operation: randomUUID() });
    await markCardRepaid(db, order.order_id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn({ order: order.order_id, code: error.code }, 'A card could not be repaid');
  }
  return getCardanoOrder(db, order.order_id);
}

function endOf(order: CardanoOrder): CardanoOrder {
  const { status, failure } = order;
  if (status === 'DONE' || status === 'PAYING') return order;
  if (status === 'OPEN')
    throw fail('PROVIDER_UNAVAILABLE', 'Cardano has not confirmed the transaction yet', {
      details: { reference_id: reference(order), status: 'PENDING' },
      retryAfter: RETRY_S,
    });
  throw orderFailed(order, failure);
}

/** A failed order whose key was forgotten may be retried with it; a bank's refusal stands. */
function orderFailed(order: CardanoOrder, failure: string | null): AppError {
  const { given_back } = order;
  const details = {
    reference_id: reference(order),
    status: 'FAILED',
    ...(given_back && { given_back }),
  };
  const message = FAILURES[failure ?? ''] ?? 'It came to nothing';
  return failure === 'PAYOUT' || failure === 'RETURNED'
    ? fail('PROVIDER_REJECTED', message, { details })
    : fail('PROVIDER_UNAVAILABLE', message, { details, retryAfter: RETRY_S });
}

const FAILURES: Readonly<Record<string, string>> = {
  CARD: 'Nothing was taken from the card',
  UNMINTED: 'Cardano did not mint: what was paid is given back',
  PAYOUT: 'The bank did not take the payout: what was paid is given back',
  RETURNED: 'The bank sent the payout back: what was paid is given back',
};
