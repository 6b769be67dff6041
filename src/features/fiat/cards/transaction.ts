import { randomUUID } from 'node:crypto';
import { sqlState } from '#kernel/db/sql-errors.ts';
import type { Certain } from '#kernel/effects/outcome.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Card, CardNetwork, CardNetworkMovement } from '#providers/card-network/port.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import {
  type CardOrder,
  cardBooks,
  type NewCharge,
  type StoreCharge,
  type StoredCharge,
} from './books.ts';
import { type CardEffect, cardEffect, instruct } from './card-effect.ts';
import { cardAnnouncer } from './events.ts';
import { type CardFlowOwners, createFlowOwners } from './flow-owners.ts';
import { type AccountsOf, cardAccounts } from './legs.ts';
import { alreadyRefunded, NOT_SEEN, outcomeUnknown, refusal } from './refusals.ts';
import {
  type CardKind,
  type CardTransaction,
  cardFindByOperation,
  getTransaction,
} from './store.ts';
import { createNumbering, type NextTrace } from './trace-store.ts';

export type CardKernel = Pick<
  Kernel,
  | 'db'
  | 'clock'
  | 'config'
  | 'log'
  | 'vault'
  | 'effects'
  | 'sagas'
  | 'quotas'
  | 'prices'
  | 'policies'
> & {
  readonly network: CardNetwork;
  readonly fx: ExchangeRates;
};

export type CardDeps = CardKernel & {
  readonly store: StoreCharge;
  readonly effect: CardEffect;
  readonly accountsOf: AccountsOf;
  readonly owners: CardFlowOwners;
  readonly nextTrace: NextTrace;
};

/** The parts that move card money; the caller registers the effect. */
export function createCardTransactions(given: CardKernel): CardDeps {
  const accountsOf = cardAccounts(given.db);
  const announce = cardAnnouncer(given.sagas);
  const owners = createFlowOwners();
  const effect = cardEffect({ ...given, accountsOf, announce, owners });
  return {
    ...given,
    effect,
    accountsOf,
    owners,
    nextTrace: createNumbering(given.db),
    store: cardBooks({ ...given, effect, accountsOf, announce }),
  };
}

/** An earlier version has given traces out at random, and may run beside this one. */
const TRIES = 20;

/**
 * Moves the money once, whatever happens in between. A repeated operation cannot be stored again: it finds its row and
 * never calls the network a second time. Answers the settled transaction; throws the error for the caller otherwise.
 */
export async function execute(
  deps: CardDeps,
  order: CardOrder,
  card: Card,
): Promise<CardTransaction> {
  const stored = await begin(deps, order, card);
  const { row } = stored;
  const ended = row.state === 'PENDING' ? await end(deps, order, stored, card) : row;
  if (ended.state === 'SETTLED') return ended;
  throw ended.state === 'FAILED'
    ? refusal(ended.failure ?? NOT_SEEN)
    : outcomeUnknown(ended.reference_id);
}

/** Stores the order; a repeated operation finds its row. */
async function begin(deps: CardDeps, order: CardOrder, card: Card): Promise<StoredCharge> {
  const reference = newReference(order.type);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const trace = await deps.nextTrace(deps.clock.now());
    const charge = { order, card, references: { trace, reference } };
    try {
      const stored = await deps.store(charge, await mockOutcome(deps, charge));
      if (stored) return stored;
    } catch (error) {
      const constraint = violated(error);
      if (constraint === undefined) throw error;
      const row = await cardFindByOperation(deps.db, order.operation);
      if (row) return { row };
      throw constraint === 'card_transactions_refunded_once' ? alreadyRefunded() : error;
    }
  }
  throw new Error('No free trace for a card transaction was found');
}

/**
 * In mock mode the network is this process, so its answer is there before the row: one transaction stores and settles it,
 * and no effect has to follow it up.
 */
async function mockOutcome(
  { config, network }: CardDeps,
  { order, references, card }: NewCharge,
): Promise<Certain<CardNetworkMovement> | undefined> {
  if (!config.MOCK_MODE) return undefined;
  const outcome = await instruct(network, { ...order, ...references }, card);
  if (outcome.kind === 'unknown') throw outcomeUnknown(references.reference);
  return outcome;
}

/** Calls the network and books its answer. Money may have moved, so an error from here on leaves an open transaction. */
async function end(
  { db, log, effects, effect, accountsOf }: CardDeps,
  { original }: CardOrder,
  { row, intent }: StoredCharge,
  secret: Card,
): Promise<CardTransaction> {
  try {
    // The row that this request has just written need not be read again.
    const toEnd = intent && { row, original, accounts: await accountsOf(row.currency) };
    const { state } = await effects.drive(effect, row.reference_id, { intent, row: toEnd, secret });
    return state === 'open' ? row : await getTransaction(db, row.id);
  } catch (error) {
    const { reference_id: reference } = row;
    log.error({ err: error, reference }, 'A card transaction could not be ended');
    throw outcomeUnknown(reference);
  }
}

/** Letters only, so that no filter takes it for a card number. */
function newReference(type: CardKind): string {
  const uuid = randomUUID();
  // All digits of the UUID but its version: sixteen.
  const digits = `${uuid.slice(0, 4)}${uuid.slice(24)}`;
  let name = `${type}-`;
  for (const digit of digits) name += LETTERS[Number.parseInt(digit, 16)];
  return name;
}
/** Sixteen, so that each is as likely as the others. */
const LETTERS = 'ABCDEFGHJKLMNPQR';

const violated = (error: unknown): string | undefined =>
  sqlState(error) === '23505' ? (error as { constraint?: string }).constraint : undefined;
