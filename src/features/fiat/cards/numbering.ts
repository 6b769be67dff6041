import type { Kysely } from 'kysely';
import type { DB } from '#kernel/db/schema.generated.ts';
import { type Trace, traceHour, traceOf } from '#providers/card-network/port.ts';
import { takeNumbers } from './number-store.ts';

/** The next name at the network; no two transactions of an hour get the same. */
export type NextTrace = (at: Date) => Promise<Trace>;

/**
 * How many a process takes at once: a statement for so many payments, and at most so many lost of an
 * hour's million when it ends.
 */
const BLOCK = 256;

interface Block {
  readonly hour: string;
  next: number;
  readonly end: number;
}

/**
 * Gives out the numbers of an hour one after the other, over all processes. Taken outside of any
 * transaction, so that nobody waits for another's commit; a number that was not used is none to miss.
 */
export function createNumbering(db: Kysely<DB>): NextTrace {
  let taken: Promise<Block> | undefined;
  let block: Block | undefined;
  const isOpen = (hour: string) => block?.hour === hour && block.next < block.end;

  async function refill(hour: string): Promise<void> {
    // Whoever else needs one meanwhile waits for the same.
    taken ??= take(db, hour).finally(() => {
      taken = undefined;
    });
    block = await taken;
  }

  return async (at) => {
    const hour = traceHour(at);
    while (!isOpen(hour)) await refill(hour);
    const { next } = block as Block;
    (block as Block).next += 1;
    return traceOf(next, at);
  };
}

async function take(db: Kysely<DB>, hour: string): Promise<Block> {
  const end = await takeNumbers(db, hour, BLOCK);
  return { hour, next: end - BLOCK, end };
}
