import { setTimeout as wait } from 'node:timers/promises';
import { monotonicMs } from '#kernel/clock.ts';
import { transact } from '#kernel/db/transact.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
import {
  earlierUnderWay,
  findLive,
  type Journalled,
  lockTreasury,
  markConfirmed,
  markLapsed,
} from './journal.ts';
import type { Cardano, Done, Order } from './port.ts';
import { createSigning, type SigningDeps } from './signing.ts';

export interface SendingDeps extends SigningDeps {
  readonly log: Pick<Logger, 'warn'>;
  /** How long a caller waits for a block. */
  readonly waitMs: number;
  /** Between the first two questions whether it is in one; the pauses grow. */
  readonly pollMs: number;
  /** Slots past its last one until nothing that the network may take back can bring it in any more. */
  readonly marginSlots: number;
}

const POLL_MAX_MS = 5_000;

/** Signs and sends transactions of the treasury, one after the other, and follows them into a block. */
export function createSending(deps: SendingDeps): Cardano['send'] {
  const { db, node, network, waitMs, pollMs } = deps;
  const signing = createSigning(deps);
  const inTurn = createTurns();

  /** Until it is in a block, or can come into none, or the caller has waited long enough. */
  async function follow(entry: Journalled): Promise<Outcome<Done>> {
    const until = monotonicMs() + waitMs;
    for (let pauseMs = pollMs; ; pauseMs = Math.min(pauseMs * 2, POLL_MAX_MS)) {
      const found = await node.find(entry.hash);
      if (found.kind === 'done' && found.value) {
        await markConfirmed(db, entry.hash);
        return done(doneOf(entry));
      }
      if (found.kind === 'done' && (await isPast(deps, entry))) return lapse(entry);
      if (monotonicMs() + pauseMs >= until)
        return unknown(found.kind === 'unknown' ? found.cause : 'It is in no block yet');
      await wait(pauseMs, undefined, { ref: false });
      await push(deps, entry);
    }
  }

  async function lapse({ hash, reference }: Journalled): Promise<Outcome<Done>> {
    deps.log.warn({ hash, reference }, 'A Cardano transaction has lapsed and will be signed anew');
    await transact(db, async (tx) => {
      await lockTreasury(tx, network);
      await markLapsed(tx, hash);
    });
    await signing.refresh();
    return unknown('It has lapsed and will be signed anew');
  }

  async function begin(order: Order): Promise<Outcome<Journalled>> {
    const known = await findLive(db, network, order.reference);
    if (known) return done(known);
    return inTurn(async () => {
      const signed = await signing.sign(order);
      if (signed.kind === 'done') await push(deps, signed.value);
      return signed;
    });
  }

  return async (order) => {
    const begun = await begin(order);
    if (begun.kind !== 'done') return begun;
    mustMatch(begun.value, order);
    return begun.value.state === 'CONFIRMED' ? done(doneOf(begun.value)) : follow(begun.value);
  };
}

/** One after the other: the ledger has to hear them in the order in which they were signed. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Whatever the answer is: what becomes of it is found out by its hash. */
async function push({ db, node }: SendingDeps, entry: Journalled): Promise<void> {
  const told = await node.submit(entry.raw);
  if (told.kind !== 'refused' || !told.message.includes('BadInputs')) return;
  // It may spend what the ledger has yet to hear of.
  const earlier = await earlierUnderWay(db, entry);
  for (const { raw } of earlier) await node.submit(raw);
  if (earlier.length > 0) await node.submit(entry.raw);
}

/** That no block can hold it any more: the newest is past its last slot, and it is in none. */
async function isPast(
  { node, marginSlots }: SendingDeps,
  { hash, ttl }: Journalled,
): Promise<boolean> {
  const tip = await node.tip();
  if (tip.kind !== 'done' || tip.value <= ttl + marginSlots) return false;
  const found = await node.find(hash);
  return found.kind === 'done' && found.value === undefined;
}

const doneOf = ({ hash, fee, sent }: Journalled): Done => ({ hash, fee, sent });

function mustMatch(entry: Journalled, { reference, kind, units, to }: Order): void {
  if (entry.kind !== kind || entry.units !== units || (entry.recipient ?? undefined) !== to)
    throw new Error(`${reference} was another transaction before`);
}
