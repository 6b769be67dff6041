import { createBatcher } from '../batcher.ts';
import type { Db } from '../db/db.ts';
import { transact } from '../transact.ts';
import { type PreparedPosting, preparePosting } from './batch.ts';
import type { Operation, Posted } from './ledger.ts';
import { postPreparedWithin } from './post.ts';

/** Writes a feature's rows in the transaction that posts their money. */
export interface RowStore<T, R> {
  /** Writes all by one statement and answers them in their order, as `store`. Throws when one cannot be written. */
  storeAll(tx: Db, items: readonly T[]): Promise<readonly (R | undefined)[]>;
  /** Writes one; answers nothing, and nothing is posted, where it was written before. */
  store(tx: Db, item: T): Promise<R | undefined>;
}

/** A row and the posting that was committed with it. */
export interface BookedPosting<R> {
  readonly row: R;
  /** Of an item with an operation. */
  readonly posted?: Posted | undefined;
}

/** Answers when row and money are on disk; nothing where `store` had nothing to write. */
export type Book<T, R> = (item: T, operation?: Operation) => Promise<BookedPosting<R> | undefined>;

export interface RowPosting<T, R> {
  /** Items that arrive while one transaction is open are the next one, together. */
  readonly together: Book<T, R>;
  /** Each item in a transaction of its own. */
  readonly alone: Book<T, R>;
}

interface Item<T> {
  readonly item: T;
  readonly prepared: PreparedPosting | undefined;
}

/**
 * Books rows and their money. Features whose postings share accounts do it together, so that an account which all of them
 * move, and the disk, are waited for once. A row and its posting commit together or not at all. An item that cannot be
 * booked fails alone, and a mistake in an operation fails before it reaches a batch. While the database is away every
 * caller gets that error; the row and the operation's key show what became of their item.
 */
export function createPosting<T, R>(db: Db, { storeAll, store }: RowStore<T, R>): RowPosting<T, R> {
  const one = ({ item, prepared }: Item<T>) =>
    transact(db, async (tx) => {
      const row = await store(tx, item);
      if (row === undefined) return undefined;
      const [posted] = await postPreparedWithin(tx, prepared ? [prepared] : []);
      return { row, posted };
    });
  const batched = createBatcher<Item<T>, BookedPosting<R> | undefined>({
    many: (all) =>
      transact(db, async (tx) => {
        const rows = await storeAll(
          tx,
          all.map(({ item }) => item),
        );
        if (rows.length !== all.length) throw new Error('Not every row was written');
        const toPost = all.flatMap(({ prepared }, i) => (rows[i] && prepared ? [prepared] : []));
        const inOrder = (await postPreparedWithin(tx, toPost)).values();
        return rows.map(
          (row, i) => row && { row, posted: all[i]?.prepared && inOrder.next().value },
        );
      }),
    one,
  });
  const itemOf = (item: T, operation: Operation | undefined): Item<T> => ({
    item,
    prepared: operation && preparePosting(operation),
  });
  return {
    together: async (item, operation) => batched(itemOf(item, operation)),
    alone: async (item, operation) => one(itemOf(item, operation)),
  };
}
