import { setTimeout as wait } from 'node:timers/promises';
import { monotonicMs } from '#kernel/clock.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import { createAccountQueues } from '../account-queues.ts';
import type { Block } from './blockfrost.ts';
import { INPUTS_MISSING } from './blockfrost-codes.ts';
import {
  type CardanoJournalEntry,
  earlierUnderWay,
  findLive,
  lockTreasury,
  markConfirmed,
  markLapsed,
} from './journal.ts';
import type { Cardano, Done, Order } from './port.ts';
import { createSigning, type Signing, type SigningDeps } from './signing.ts';

export interface SendingDeps extends SigningDeps {
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** How long a caller waits for a block. */
  readonly waitMs: number;
  /** Between the first two questions whether it is in one; the pauses grow. */
  readonly pollMs: number;
  /** Slots past its last one until nothing that the network may take back can bring it in any more. */
  readonly marginSlots: number;
  /** Blocks from which on it counts, its own being the first. */
  readonly confirmations: number;
}

const POLL_MAX_MS = 5_000;
/** One that has lapsed is followed by another of the same reference. */
const ATTEMPTS = 3;

interface Lapsed {
  readonly lapsed: true;
}

/** What sending stands on. */
export interface Work extends SendingDeps {
  readonly signing: Signing;
  /** The ledger has to hear them in the order in which they were signed. */
  readonly queues: ReturnType<typeof createAccountQueues>;
}

/** One of it for a process. */
export const workOf = (deps: SendingDeps): Work => ({
  ...deps,
  queues: createAccountQueues(),
  signing: createSigning(deps),
});

/** Signs and sends transactions of the treasury, one after the other, and follows them into a block. */
export const createSending =
  (work: Work): Cardano['send'] =>
  async (order) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const begun = await begin(work, order);
      if (begun.kind !== 'done') return begun;
      const entry = begun.value;
      mustMatch(entry, order);
      const ended = entry.state === 'CONFIRMED' ? done(doneOf(entry)) : await follow(work, entry);
      if (ended.kind !== 'done') return ended;
      if (!('lapsed' in ended.value)) return done(ended.value);
    }
    return unknown('It has lapsed again and again');
  };

async function begin(work: Work, order: Order): Promise<Outcome<CardanoJournalEntry>> {
  const { db, network, signing, queues } = work;
  const known = await findLive(db, network, order.reference);
  if (known) return done(known);
  const { signed, submitted } = await queues.inTurn(network, async (leave) => {
    const made = await signing.sign(order);
    if (made.kind !== 'done') return { signed: made };
    return { signed: made, submitted: leave(() => push(work, made.value)) };
  });
  await submitted;
  return signed;
}

/** Until it is that deep in the chain, or can come into it no more, or the caller has waited long enough. */
async function follow(work: Work, entry: CardanoJournalEntry): Promise<Outcome<Done | Lapsed>> {
  const { db, node, waitMs, pollMs } = work;
  const until = monotonicMs() + waitMs;
  for (let pauseMs = pollMs; ; pauseMs = Math.min(pauseMs * 2, POLL_MAX_MS)) {
    const found = await node.find(entry.hash);
    const block = found.kind === 'done' ? found.value : undefined;
    if (block && (await isDeep(work, block))) {
      await markConfirmed(db, entry.hash);
      return done(doneOf(entry));
    }
    const isMissing = found.kind === 'done' && block === undefined;
    if (isMissing && (await isPast(work, entry))) return lapse(work, entry);
    if (monotonicMs() + pauseMs >= until)
      return unknown(found.kind === 'unknown' ? found.cause : 'It is not deep in a block yet');
    await wait(pauseMs, undefined, { ref: false });
    if (!block) await push(work, entry);
  }
}

/** Whether its block has the confirmations. */
async function isDeep({ node, confirmations }: SendingDeps, { height }: Block): Promise<boolean> {
  if (confirmations <= 1) return true;
  const tip = await node.tip();
  return tip.kind === 'done' && tip.value.height - height + 1 >= confirmations;
}

/** It never happens: what it was to spend is free again, and its reference may be signed again. */
export async function lapse(
  { db, log, network, signing }: Work,
  { hash, reference }: CardanoJournalEntry,
): Promise<Outcome<Lapsed>> {
  log.warn({ hash, reference }, 'A Cardano transaction has lapsed and is signed again');
  await transact(db, async (tx) => {
    await lockTreasury(tx, network);
    await markLapsed(tx, hash);
  });
  const refreshed = await signing.refresh();
  return refreshed.kind === 'done' ? done({ lapsed: true }) : refreshed;
}

/** Whatever the answer is: what becomes of it is found out by its hash. */
export async function push({ db, node }: SendingDeps, entry: CardanoJournalEntry): Promise<void> {
  const answer = await node.submit(entry.raw);
  if (answer.kind !== 'refused' || answer.code !== INPUTS_MISSING) return;
  // It may spend what the ledger has yet to hear of.
  const earlier = await earlierUnderWay(db, entry);
  for (const { raw } of earlier) await node.submit(raw);
  if (earlier.length > 0) await node.submit(entry.raw);
}

/** That no block can hold it any more: the newest is past its last slot, and it is in none. */
export async function isPast(
  { node, marginSlots }: SendingDeps,
  { hash, ttl }: CardanoJournalEntry,
): Promise<boolean> {
  const tip = await node.tip();
  if (tip.kind !== 'done' || tip.value.slot <= ttl + marginSlots) return false;
  const found = await node.find(hash);
  return found.kind === 'done' && found.value === undefined;
}

const doneOf = ({ hash, fee, sent }: CardanoJournalEntry): Done => ({ hash, fee, sent });

function mustMatch(entry: CardanoJournalEntry, { reference, kind, units, to }: Order): void {
  if (entry.kind !== kind || entry.units !== units || (entry.recipient ?? undefined) !== to)
    throw new Error(`${reference} was another transaction before`);
}
