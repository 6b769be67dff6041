import { randomBytes } from 'node:crypto';
import { sqlState } from '#kernel/db/transact.ts';
import type { Kernel } from '#kernel/kernel.ts';
import {
  type CardNetwork,
  type Found,
  type Movement,
  type Trace,
  traceOf,
} from '#providers/card-network/port.ts';
import type { Outcome } from '#providers/provider.ts';
import type { CardBooks, Certain, Intent } from './books.ts';
import { alreadyRefunded, NOT_SEEN, refusal, undecided } from './refusals.ts';
import { type CardTransaction, findByOperation, type Kind } from './store.ts';

export type CardDeps = Pick<Kernel, 'db' | 'clock' | 'config' | 'log' | 'vault'> & {
  readonly network: CardNetwork;
  readonly books: CardBooks;
};

const TRIES_FOR_A_NAME = 5;
const SECOND_MS = 1000;
/** An intent this old is not sent any more: it may be given up by somebody else. */
const SEND_WITHIN_MS = 30 * SECOND_MS;
/** What the network has not seen by then never left us. */
const GIVE_UP_MS = 15 * 60 * SECOND_MS;

/**
 * Moves the money once, whatever happens in between. The intent is committed first; then the network
 * is asked; its answer and the postings are one transaction. A lost answer is looked up. A repeated
 * operation cannot be stored again, finds its intent and never asks the network a second time.
 * Answers the settled transaction; throws what the caller is told otherwise.
 */
export async function execute(deps: CardDeps, intent: Intent): Promise<CardTransaction> {
  const { row, trace } = await begin(deps, intent);
  if (trace === undefined || row.state !== 'PENDING')
    return resultOf(await openIfItFails(deps, row, lookUp(deps, row)));
  if (ageMs(deps, row) > SEND_WITHIN_MS) throw undecided(row.reference_id);
  const outcome = await intent.send({ trace, reference: row.reference_id });
  const ending = isCertain(outcome) ? end(deps, row, outcome) : lookUp(deps, row);
  return resultOf(await openIfItFails(deps, row, ending));
}

/** Money may have moved by now, so the caller hears of an open end, which the schedule will find. */
const openIfItFails = (
  { log }: CardDeps,
  { reference_id }: CardTransaction,
  ending: Promise<CardTransaction>,
): Promise<CardTransaction> =>
  ending.catch((error: unknown) => {
    log.error({ err: error, reference: reference_id }, 'A card transaction could not be ended');
    throw undecided(reference_id);
  });

/** Not when the network has that name already: it may be this very call, delivered twice on its way. */
const isCertain = <T>(outcome: Outcome<T>): outcome is Certain<T> =>
  outcome.kind === 'done' || (outcome.kind === 'refused' && outcome.code !== 'DUPLICATE');

/** Asks the network what became of a pending transaction, and ends it when that is certain. */
export async function lookUp(deps: CardDeps, row: CardTransaction): Promise<CardTransaction> {
  // Only the real network can know, and in mock mode it is not asked.
  if (row.state !== 'PENDING' || deps.config.MOCK_MODE) return row;
  const found = await deps.network.find({ rrn: row.rrn, at: new Date(row.traced_at) });
  if (found.kind === 'unknown') return row;
  if (found.kind === 'refused' && isCertain(found)) return end(deps, row, found);
  const moved = found.kind === 'done' ? found.value : undefined;
  if (moved === undefined) return isOverdue(deps, row) ? deps.books.fail(row, NOT_SEEN) : row;
  if (NOT_STANDING.has(moved.status)) return deps.books.fail(row, moved.status);
  return isOf(moved, row) ? end(deps, row, { kind: 'done', value: moved }) : row;
}

/** Another sum than was asked for is not booked, and not given up either: people have to look. */
const isOf = ({ money }: Found, { currency, amount }: CardTransaction): boolean =>
  money === undefined || (money.asset === currency && money.units === amount);

/** It was approved, and taken back before we had heard of it: there is nothing to book. */
const NOT_STANDING = new Set(['CANCELLED', 'DECLINED', 'EXPIRED', 'REJECTED', 'REVERSED']);

/** How long ago the network was told of it. */
const ageMs = ({ clock }: CardDeps, { traced_at }: CardTransaction): number =>
  clock.now().getTime() - new Date(traced_at).getTime();

/** Open for longer than a call may take to arrive. */
export const isOverdue = (deps: CardDeps, row: CardTransaction): boolean =>
  ageMs(deps, row) >= GIVE_UP_MS;

function resultOf(row: CardTransaction): CardTransaction {
  if (row.state === 'SETTLED') return row;
  throw row.state === 'FAILED' ? refusal(row.failure ?? NOT_SEEN) : undecided(row.reference_id);
}

/** The transaction as stored, and how to name it to the network when this call has stored it. */
async function begin(
  deps: CardDeps,
  intent: Intent,
): Promise<{ row: CardTransaction; trace?: Trace }> {
  const { db, config, clock, books } = deps;
  const reference = newReference(intent.type);
  for (let attempt = 0; attempt < TRIES_FOR_A_NAME; attempt += 1) {
    const trace = traceOf(reference, clock.now(), attempt);
    // In mock mode nothing is outside, so there is one transaction and nothing in between to survive.
    const outcome = config.MOCK_MODE ? await intent.send({ trace, reference }) : undefined;
    if (outcome?.kind === 'unknown') throw undecided(reference);
    try {
      const row = await books.open(intent, { trace, reference }, outcome);
      if (row) return { row, trace };
    } catch (error) {
      const constraint = violated(error);
      if (constraint === undefined) throw error;
      const begun = await findByOperation(db, intent.operation);
      if (begun) return { row: begun };
      throw constraint === 'card_transactions_refunded_once' ? alreadyRefunded() : error;
    }
  }
  throw new Error('No free name for a card transaction was found');
}

function end(
  deps: CardDeps,
  row: CardTransaction,
  outcome: Certain<Movement>,
): Promise<CardTransaction> {
  return outcome.kind === 'done'
    ? deps.books.settle(row, outcome.value)
    : deps.books.fail(row, outcome.code);
}

/** Letters only, so that nothing takes it for a card number. */
function newReference(type: Kind): string {
  const letters = [...randomBytes(16)].map((byte) => LETTERS[byte % LETTERS.length]);
  return `${type}-${letters.join('')}`;
}
/** Sixteen, so that each is as likely as the others. */
const LETTERS = 'ABCDEFGHJKLMNPQR';

const violated = (error: unknown): string | undefined =>
  sqlState(error) === '23505' ? (error as { constraint?: string }).constraint : undefined;
