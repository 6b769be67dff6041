import { type Db, run } from './db.ts';
import type { DB } from './schema.generated.ts';

/** Of a run: what is left is the next one's. */
const BATCHES_MAX = 100;
/** Rows of a batch: a statement that ends well before it is given up, and locks few. */
const BATCH = 5000;

/** Repeats a statement with a limit, each time in a transaction of its own, until it finds nothing more. */
export async function inBatches(batch: () => Promise<number>): Promise<void> {
  for (let n = 0; n < BATCHES_MAX; n += 1) if ((await batch()) === 0) return;
}

/**
 * Deletes the rows that `where` is true of, with an index of the table behind it. A backlog of any size
 * is got through in the end; one statement for all of it would be given up, and begin again each time.
 */
export async function deleteInBatches(
  db: Db,
  table: keyof DB,
  where: string,
  values: readonly unknown[],
): Promise<void> {
  // Asked again of the row that is deleted, which may have changed since it was found.
  const text = `
    delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${BATCH}))
      and ${where} returning 1`;
  await inBatches(async () => (await run(db, text, values)).length);
}
