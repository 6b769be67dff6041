import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, run } from '#kernel/db/db.ts';
import { type Operation, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import { payments } from './payments.ts';

/** A process of its own that posts at random, for tests that need several of them. */
export interface Load {
  readonly url: string;
  readonly seed: number;
  readonly operations: number;
  readonly accounts: readonly number[];
  /** The number of keys to draw from, shared by all processes. None: every key is new. */
  readonly keys?: number;
  /** Prints each acknowledged key. */
  readonly printKeys?: boolean;
}

export interface LoadResult {
  posted: number;
  duplicates: number;
  refused: number;
  reused: number;
  errors: string[];
}

const IN_FLIGHT = 48;

/** A small generator with a seed: a run that failed can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Every process makes the same operation of a key, unless `foreign`. */
function operation(load: Load, key: number, foreign: boolean): Operation {
  const next = random(foreign ? key + load.seed * 7919 : key);
  const account = (skewed: boolean) =>
    // Every other operation touches one of the first two accounts.
    load.accounts[Math.floor(next() * (skewed ? 2 : load.accounts.length))] ?? 0;
  const from = account(next() < 0.5);
  const to = account(false);
  const amount = BigInt(1 + Math.floor(next() * 300));
  const other = from === to ? (load.accounts.find((id) => id !== from) ?? 0) : to;
  return { key: `load:${key}`, kind: 'load', legs: transfer(from, other, amount) };
}

async function main(load: Load): Promise<LoadResult> {
  const { db, close } = openDatabase(load.url, { max: 4 });
  const book = await payments(db, { made: true });
  const next = random(load.seed);
  const result: LoadResult = { posted: 0, duplicates: 0, refused: 0, reused: 0, errors: [] };
  let left = load.operations;
  let fresh = load.seed * 1_000_000_000;

  async function one(): Promise<void> {
    fresh += 1;
    const key = load.keys ? Math.floor(next() * load.keys) : fresh;
    const todo = operation(load, key, load.keys !== undefined && next() < 0.05);
    const within = load.keys !== undefined && next() < 0.25;
    try {
      const posted = await (within
        ? transact(db, async (tx) => {
            await run(tx, 'select 1', []);
            return postWithin(tx, todo);
          })
        : // A row of its own each time, so that only the ledger detects a repetition.
          book({ reference: randomUUID() }, todo).then((booked) => booked?.posted));
      if (posted?.status === 'posted') result.posted += 1;
      else result.duplicates += 1;
      if (load.printKeys) process.stdout.write(`${todo.key}\n`);
    } catch (error) {
      const text = String(error);
      if (text.includes('Insufficient')) result.refused += 1;
      else if (text.includes('key-reused')) result.reused += 1;
      else result.errors.push(text);
    }
  }

  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await one();
      if (result.errors.length > 0) await delay(20);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  await close();
  return result;
}

const result = await main(JSON.parse(process.argv[2] ?? '') as Load);
process.stdout.write(`${JSON.stringify(result)}\n`);
