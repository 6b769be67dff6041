import type { Kysely } from 'kysely';
import type { Address } from 'viem';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { transact } from '#kernel/transact.ts';
import type { ChainClient } from '../client.ts';
import { firstSince } from '../contracts/logged.ts';
import { chainFault } from '../fault.ts';
import type { EvmChain } from '../port.ts';
import { lesser } from '../sending/prepare.ts';
import type { ChainLog } from '../settings.ts';
import {
  begin,
  type Cursor,
  type Following,
  findPlace,
  forgetMarks,
  listMarks,
  mark,
  moveCursor,
} from './cursor.ts';
import { type EventSource, type FollowedEvent, hashAt, readRange } from './read-range.ts';

/** Who follows, and what is done with what happened. All of it in the transaction that moves on. */
export interface EvmFollower {
  /** Lower case with dashes: the name of its cursor. */
  readonly name: string;
  /** The contract whose events are followed on that chain; another one is read from its start. */
  contract(chain: EvmChain): Address;
  sources(chain: EvmChain): readonly EventSource[];
  /** The machine's time from which on there may be events; nothing while there cannot be any. */
  since(db: Db, chain: EvmChain): Promise<Date | undefined>;
  /** The block of the first event that is kept of that chain, if any. */
  earliest?(db: Db, chain: EvmChain): Promise<bigint | undefined>;
  /** In their order. One that was there before a reorganisation comes again, in another block. */
  seen(tx: Db, chain: EvmChain, events: readonly FollowedEvent[]): Promise<void>;
  /** The blocks above that one are not on chain any more. `read` is how far had been read. */
  undone(tx: Db, chain: EvmChain, above: bigint, read: bigint): Promise<void>;
  /** The listeners have everything up to that block. */
  reached(tx: Db, chain: EvmChain, block: bigint): Promise<void>;
}

interface FollowDeps {
  readonly db: Kysely<DB>;
  readonly clock: Clock;
  readonly log: ChainLog;
}

/** Blocks in one question; who refuses them is asked for fewer. */
const STEP = 2_000n;
const STEP_MIN = 50n;
/** What is read in one go at the most; the rest has the next one. */
const RANGES_MAX = 100;

/** Where a contract's events have been followed to. */
export interface FollowedTo {
  readonly block: bigint;
  /** Nothing later was on chain when it was asked. */
  readonly isHead: boolean;
}

export interface FollowOptions {
  readonly signal?: AbortSignal | undefined;
  /** Blocks in one question to begin with. */
  readonly step?: bigint;
}

/**
 * Reads on where the last one has stopped, in bounded ranges, up to the newest block. What was read and how
 * far is one transaction, so nothing is lost or reported twice wherever a process ends; of several processes who
 * read the same blocks one moves on, and the others find that out before they have done anything. Nothing
 * while there is nothing to follow. Throws ChainError.
 */
export async function followEvents(
  deps: FollowDeps,
  follower: EvmFollower,
  chain: EvmChain,
  { signal, step = STEP }: FollowOptions = {},
): Promise<FollowedTo | undefined> {
  const following: Following = {
    follower: follower.name,
    chain: chain.info.key,
    contract: follower.contract(chain),
  };
  const reading = { ...deps, follower, chain, following };
  try {
    if (!(await isBegun(reading))) return undefined;
    const client = await chain.client();
    let width = step;
    for (let ranges = 0; ranges < RANGES_MAX && !signal?.aborted; ranges += 1) {
      const place = await placeOf(reading, client);
      if (place === undefined) return undefined;
      const answer = await readOn(reading, client, place, width).catch((error: unknown) => {
        if (width / 2n < STEP_MIN || !isTooMuch(error)) throw error;
        width /= 2n;
        return undefined;
      });
      if (answer?.isHead) return answer;
    }
    const reached = await findPlace(deps.db, following);
    return reached && { block: reached.block, isHead: false };
  } catch (error) {
    throw chainFault(error);
  }
}

interface Reading extends FollowDeps {
  readonly follower: EvmFollower;
  readonly chain: EvmChain;
  readonly following: Following;
}

/** Another process has read the same and moved on: what this one was about to book is booked. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** A node that answers, but not such a question. One that says nothing is not asked again at once. */
const isTooMuch = (error: unknown): boolean =>
  /range|limit|exceed|too (many|large)|response size/i.test(String(error));

/** Without any call: who has nothing to follow wakes no chain. */
async function isBegun({ db, follower, chain, following }: Reading): Promise<boolean> {
  if ((await findPlace(db, following)) !== undefined) return true;
  return (await follower.since(db, chain)) !== undefined;
}

async function placeOf(reading: Reading, client: ChainClient): Promise<Cursor | undefined> {
  const { db, following } = reading;
  const known = await findPlace(db, following);
  if (known !== undefined) return known;
  const start = await startOf(reading, client);
  if (start !== undefined) await begin(db, following, start);
  return start && findPlace(db, following);
}

/** Before the first block in which there may be events. */
async function startOf(
  { db, follower, chain }: Reading,
  client: ChainClient,
): Promise<Cursor | undefined> {
  const since = await follower.since(db, chain);
  if (since === undefined) return undefined;
  const block = (await firstSince(client, since, await client.getBlockNumber())) - 1n;
  return { block, hash: block < 0n ? undefined : await hashAt(client, block) };
}

/** One range, or a step back where the chain was reorganised. Nothing where it has to be tried again. */
async function readOn(
  reading: Reading,
  client: ChainClient,
  place: Cursor,
  width: bigint,
): Promise<FollowedTo | undefined> {
  // Before the question: what happens while it and those after it are answered is not read yet.
  const asked = reading.clock.now();
  const head = await client.getBlockNumber();
  const isThere = place.hash === undefined || (await hashAt(client, place.block)) === place.hash;
  if (!isThere) {
    await stepBack(reading, client, place);
    return undefined;
  }
  const to = lesser(place.block + width, head);
  if (to <= place.block) {
    await book(reading, place, { ...place, events: [], caughtUpAt: asked });
    return { block: place.block, isHead: true };
  }
  const range = await readRange(client, reading.follower.sources(reading.chain), {
    after: place,
    to,
  });
  if (range === undefined) return undefined;
  const isHead = to === head;
  await book(reading, place, { block: to, caughtUpAt: isHead ? asked : undefined, ...range });
  return { block: to, isHead };
}

interface Read extends Cursor {
  readonly events: readonly FollowedEvent[];
  /** Nothing where the chain is longer than was read. */
  readonly caughtUpAt: Date | undefined;
}

async function book(reading: Reading, from: Cursor, { events, ...to }: Read): Promise<void> {
  const { db, follower, chain, following } = reading;
  // What is in no journal of ours must still be there after a crash of a node of our own.
  if (events.length > 0) await chain.snapshot();
  await orOvertaken(
    transact(db, async (tx) => {
      if (!(await moveCursor(tx, following, from, to))) throw new Overtaken();
      if (to.block !== from.block) await mark(tx, following, to);
      if (events.length > 0) await follower.seen(tx, chain, events);
      await follower.reached(tx, chain, to.block);
    }),
  );
}

/** To the newest block that is still on chain. What came later is read again. */
async function stepBack(reading: Reading, client: ChainClient, from: Cursor): Promise<void> {
  const { db, log, follower, chain, following } = reading;
  const to = await commonPlace(reading, client);
  log.warn(
    { chain: chain.info.key, follower: follower.name, from: `${from.block}`, to: `${to.block}` },
    'A chain was reorganised',
  );
  await orOvertaken(
    transact(db, async (tx) => {
      if (!(await moveCursor(tx, following, from, { ...to, caughtUpAt: undefined })))
        throw new Overtaken();
      await forgetMarks(tx, following, to.block);
      await follower.undone(tx, chain, to.block, from.block);
    }),
  );
}

async function commonPlace(reading: Reading, client: ChainClient): Promise<Cursor> {
  for (const one of await listMarks(reading.db, reading.following))
    if ((await hashAt(client, one.block)) === one.hash) return one;
  return lowestOf(client, await startOf(reading, client), await beforeKept(reading));
}

/** Deeper than any block that is remembered: all that is kept has to be found on chain again. */
async function beforeKept({ db, follower, chain }: Reading): Promise<bigint | undefined> {
  const first = await follower.earliest?.(db, chain);
  return first === undefined ? undefined : first - 1n;
}

async function lowestOf(
  client: ChainClient,
  start: Cursor | undefined,
  kept: bigint | undefined,
): Promise<Cursor> {
  if (start !== undefined && (kept === undefined || start.block <= kept)) return start;
  const head = await client.getBlockNumber();
  const block = kept === undefined ? head : lesser(kept, head);
  return { block, hash: block < 0n ? undefined : await hashAt(client, block) };
}

/** An overtaken process reads on from where the other one is. */
async function orOvertaken(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Overtaken)) throw error;
  });
}
