/** A process of its own that compares the books of a test, and hangs at the given point. */

import { createClock } from '#kernel/clock.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { reconcileRail } from '#kernel/reconciliation/reconcile.ts';
import { booksRail } from './books.ts';

export interface Orders {
  readonly databaseUrl: string;
  /** Hangs before that page, counted over both sides; reads all pages without it. */
  readonly page?: number;
}

const { databaseUrl, page } = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { db, close } = openDatabase(databaseUrl);
let read = 0;
const rail = booksRail(db, {
  pageSize: 10,
  async before() {
    read += 1;
    if (read !== page) return undefined;
    process.stdout.write('hangs\n');
    return new Promise(() => setInterval(() => undefined, 1000));
  },
});
if (page === undefined) process.stdout.write('begins\n');
const signal = new AbortController().signal;
await reconcileRail({ db, clock: createClock(), log: createLog('silent') }, rail, { signal });
await close();
