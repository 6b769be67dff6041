import { createBatcher } from '../batcher.ts';
import type { Db } from '../db/db.ts';
import { transact } from '../transact.ts';
import { type PreparedPosting, preparePosting } from './batch.ts';
import type { Operation, Posted } from './ledger.ts';
import { postPreparedWithin } from './post.ts';

/** How a feature writes its rows, in the transaction that posts their money. */
export interface RowStore<T, R> {
  /**
   * All of them in one statement, answered in their order: nothing for one that has nothing to post,
   * as `store`. Throws when one cannot be written.
   */
  storeAll(tx: Db, items: readonly T[]): Promise<readonly (R | undefined)[]>;
  /** One; nothing when there is nothing to post with it, because it was written before. */
  store(tx: Db, item: T): Promise<R | undefined>;
}

/** A row and the posting that was committed with it. */
export interface BookedPosting<R> {
  readonly row: R;
  readonly posted: Posted;
}

/** Answers when both are on disk; nothing where `store` had nothing to write. */
export type Book<T, R> = (item: T, operation: Operation) => Promise<BookedPosting<R> | undefined>;

/**
 * Books rows and their money, for features whose postings share accounts: those that come while one
 * transaction is under way are the next one, so that an account which all of them move, and the disk,
 * are waited for once. A row and its posting commit together or not at all. What cannot be booked
 * fails alone, and a mistake in an operation before it reaches a batch. While the database is away
 * every caller gets that error; what became of theirs is known by the row and the operation's key.
 */
export function createPosting<T, R>(db: Db, { storeAll, store }: RowStore<T, R>): Book<T, R> {
  interface Item {
    readonly item: T;
    readonly prepared: PreparedPosting;
  }
  const ask = createBatcher<Item, BookedPosting<R> | undefined>({
    many: (all) =>
      transact(db, async (tx) => {
        const rows = await storeAll(
          tx,
          all.map(({ item }) => item),
        );
        if (rows.length !== all.length) throw new Error('Not every row was written');
        const written = all.filter((_, i) => rows[i] !== undefined);
        const answers = await postPreparedWithin(
          tx,
          written.map(({ prepared }) => prepared),
        );
        const inOrder = answers.values();
        return rows.map((row) => row && { row, posted: inOrder.next().value as Posted });
      }),
    one: ({ item, prepared }) =>
      transact(db, async (tx) => {
        const row = await store(tx, item);
        if (row === undefined) return undefined;
        const [posted] = await postPreparedWithin(tx, [prepared]);
        return posted && { row, posted };
      }),
  });
  return async (item, operation) => ask({ item, prepared: preparePosting(operation) });
}
