import { randomUUID } from 'node:crypto';
import { sqlState } from '#kernel/db/sql-errors.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Card, CardNetwork } from '#providers/card-network/port.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { type CardBooks, cardBooks, type Opened, type OpeningTransaction } from './books.ts';
import { type CardEffect, cardEffect } from './card-effect.ts';
import { type AccountsOf, cardAccounts } from './legs.ts';
import { createFlowNotifier } from './notify-flow.ts';
import { createNumbering, type NextTrace } from './numbering.ts';
import { type CardOrder, instruct } from './order.ts';
import { alreadyRefunded, NOT_SEEN, outcomeUnknown, refusal } from './refusals.ts';
import {
  type CardKind,
  type CardTransaction,
  cardFindByOperation,
  getTransaction,
} from './store.ts';

export type CardKernel = Pick<
  Kernel,
  'db' | 'clock' | 'config' | 'log' | 'vault' | 'effects' | 'sagas' | 'quotas' | 'prices'
> & {
  readonly network: CardNetwork;
  readonly fx: ExchangeRates;
};

export type CardDeps = CardKernel & {
  readonly books: CardBooks;
  readonly effect: CardEffect;
  readonly accountsOf: AccountsOf;
  readonly nextTrace: NextTrace;
};

/** What moves card money; its effect has yet to be registered. */
export function createCardTransactions(given: CardKernel): CardDeps {
  const accountsOf = cardAccounts(given.db);
  const notifyFlow = createFlowNotifier(given.sagas);
  const effect = cardEffect({ ...given, accountsOf, notifyFlow });
  return {
    ...given,
    effect,
    accountsOf,
    nextTrace: createNumbering(given.db),
    books: cardBooks({ ...given, effect, accountsOf, notifyFlow }),
  };
}

/** Of names: an earlier version has given numbers out at random, and may be at it beside this one. */
const TRIES = 20;

/**
 * Moves the money once, whatever happens in between. A repeated operation cannot be stored again, finds
 * what it has stored and never asks the network a second time. Answers the settled transaction; throws
 * what the caller is told otherwise.
 */
export async function execute(
  deps: CardDeps,
  order: CardOrder,
  card: Card,
): Promise<CardTransaction> {
  const opened = await begin(deps, order, card);
  const { row } = opened;
  const ended = row.state === 'PENDING' ? await end(deps, order, opened, card) : row;
  if (ended.state === 'SETTLED') return ended;
  throw ended.state === 'FAILED'
    ? refusal(ended.failure ?? NOT_SEEN)
    : outcomeUnknown(ended.reference_id);
}

/** As far as it can be ended now. Money may have moved, so that what fails from here on is an open end. */
async function end(
  { db, log, effects, effect, accountsOf }: CardDeps,
  { original }: CardOrder,
  { row, intent }: Opened,
  secret: Card,
): Promise<CardTransaction> {
  try {
    // What this request has just written need not be read again.
    const stored = intent && { row, original, accounts: await accountsOf(row.currency) };
    const by = { intent, row: stored, secret };
    const { state } = await effects.drive(effect, row.reference_id, by);
    return state === 'open' ? row : await getTransaction(db, row.id);
  } catch (error) {
    const { reference_id: reference } = row;
    log.error({ err: error, reference }, 'A card transaction could not be ended');
    throw outcomeUnknown(reference);
  }
}

/** The transaction as stored, and what to drive it with when this call has stored it. */
async function begin(deps: CardDeps, order: CardOrder, card: Card): Promise<Opened> {
  const reference = newReference(order.type);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const trace = await deps.nextTrace(deps.clock.now());
    try {
      const opened = await open(deps, { order, card, name: { trace, reference } });
      if (opened) return opened;
    } catch (error) {
      const constraint = violated(error);
      if (constraint === undefined) throw error;
      const begun = await cardFindByOperation(deps.db, order.operation);
      if (begun) return { row: begun };
      throw constraint === 'card_transactions_refunded_once' ? alreadyRefunded() : error;
    }
  }
  throw new Error('No free name for a card transaction was found');
}

/**
 * In mock mode nothing is outside: the answer is there before anything is stored, so that there is one
 * transaction, nothing in between to survive, and no effect to follow up.
 */
async function open(
  { config, network, books }: CardDeps,
  opening: OpeningTransaction,
): Promise<Opened | undefined> {
  if (!config.MOCK_MODE) return books.open(opening);
  const { order, name, card } = opening;
  const outcome = await instruct(network, { ...order, ...name }, card);
  if (outcome.kind === 'unknown') throw outcomeUnknown(name.reference);
  return books.record(opening, outcome);
}

/** Letters only, so that nothing takes it for a card number. */
function newReference(type: CardKind): string {
  const uuid = randomUUID();
  // All but the digits that tell its version, of which there are sixteen.
  const digits = `${uuid.slice(0, 4)}${uuid.slice(24)}`;
  let name = `${type}-`;
  for (const digit of digits) name += LETTERS[Number.parseInt(digit, 16)];
  return name;
}
/** Sixteen, so that each is as likely as the others. */
const LETTERS = 'ABCDEFGHJKLMNPQR';

const violated = (error: unknown): string | undefined =>
  sqlState(error) === '23505' ? (error as { constraint?: string }).constraint : undefined;
