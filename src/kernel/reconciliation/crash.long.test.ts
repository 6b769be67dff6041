import { afterAll, beforeEach, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { BOOKS_SQL, booksRail, write } from '#test/books.ts';
import { killWhereItHangs, startChild } from '#test/child.ts';
import { testDatabase } from '#test/database.ts';
import type { Orders } from '#test/reconcile-child.ts';
import { reconcileRail } from './reconcile.ts';

const database = await testDatabase(BOOKS_SQL);
const { db, pool, close } = openDatabase(database.url);
afterAll(async () => {
  await close();
  await database.close();
});

const SCRIPT = 'reconcile-child.ts';
const COUNT = 100;
const clock = createClock();
const at = new Date(clock.now().getTime() - 3_600_000);
const entry = (i: number) => ({ line: `line ${String(i).padStart(3, '0')}`, units: BigInt(i), at });
const all = Array.from({ length: COUNT }, (_, i) => entry(i + 1));
/** Every tenth is lost at the provider, every tenth in our books. */
await write(db, 'OURS', ...all.filter((_, i) => i % 10 !== 3));
await write(db, 'THEIRS', ...all.filter((_, i) => i % 10 !== 7));

const orders = (more: Omit<Orders, 'databaseUrl'> = {}): Orders => ({
  databaseUrl: database.url,
  ...more,
});
const reconcile = () =>
  reconcileRail({ db, clock, log: createLog('silent') }, booksRail(db, { pageSize: 10 }), {
    signal: new AbortController().signal,
  });
const count = async (text: string) => {
  const [row] = await run<{ n: number }>(db, `select count(*)::integer as n from ${text}`, []);
  return row?.n;
};

beforeEach(async () => {
  for (const table of ['told', 'lines', 'breaks', 'sides'])
    await run(db, `delete from reconciliation_${table}`, []);
});

async function expectAllFound() {
  expect(await count(`reconciliation_breaks where cause = 'MISSING_AT_PROVIDER'`)).toBe(10);
  expect(await count(`reconciliation_breaks where cause = 'MISSING_IN_OUR_BOOKS'`)).toBe(10);
  expect(await count('reconciliation_breaks')).toBe(20);
  expect(await count(`reconciliation_lines where state = 'SETTLED'`)).toBe(160);
  expect(await count('reconciliation_told')).toBe(0);
}

test.each([2, 6, 10, 14, 18])('killed before page %i, another goes on from there', async (page) => {
  await killWhereItHangs(SCRIPT, orders({ page }));
  await reconcile();
  await expectAllFound();
});

test('killed while it writes down what differs, another writes it down once', async () => {
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('lock table reconciliation_breaks in share mode');
  const child = await startChild(SCRIPT, orders());
  await expect.poll(() => count(`pg_stat_activity where wait_event_type = 'Lock'`)).toBe(1);
  await child.end('SIGKILL');
  await holder.query('rollback');
  holder.release();
  await reconcile();
  await expectAllFound();
});

test('several at once come to what one of them comes to', async () => {
  const child = startChild(SCRIPT, orders());
  await Promise.all([reconcile(), reconcile(), reconcile()]);
  await (await child).end('SIGTERM');
  await reconcile();
  await expectAllFound();
});
