import type { Kysely } from 'kysely';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { dryRunNow } from '#kernel/dry-run.ts';
import { type Trace, traceHour, traceOf } from '#providers/card-network/port.ts';

/** The next trace number at the network; no two transactions of an hour get the same. */
export type NextTrace = (at: Date) => Promise<Trace>;

/** Numbers that a process takes by one statement; it loses the rest of them, of an hour's million, when it ends. */
const BLOCK = 256;

interface Block {
  readonly hour: string;
  next: number;
  readonly end: number;
}

/**
 * Hands out the numbers of an hour one after the other, over all processes. A block is taken outside of any
 * transaction, so that no payment waits for the commit of another; unused numbers are simply skipped.
 */
export function createNumbering(db: Kysely<DB>): NextTrace {
  let taken: Promise<Block> | undefined;
  let block: Block | undefined;
  const isOpen = (hour: string) => block?.hour === hour && block.next < block.end;

  async function refill(hour: string): Promise<void> {
    // Concurrent callers wait for the same block.
    taken ??= take(db, hour).finally(() => {
      taken = undefined;
    });
    block = await taken;
  }

  return async (at) => {
    const hour = traceHour(at);
    // A block that a dry run takes is given back.
    if (dryRunNow()) return traceOf((await takeNumbers(db, hour, 1)) - 1, at);
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

/** Takes `count` numbers of an hour; answers the number after the last of them. */
async function takeNumbers(db: Db, hour: string, count: number): Promise<number> {
  const [row] = await run<Row<'card_numbers', 'given'>>(
    db,
    `insert into card_numbers as n (hour, given) values ($1, $2)
     on conflict (hour) do update set given = n.given + excluded.given returning given`,
    [hour, count],
  );
  if (!row) throw new Error(`No numbers were given for ${hour}`);
  return row.given;
}
