import { expect, test } from 'vitest';
import { forgetFailures } from '#kernel/access/attempts.ts';
import { run } from '#kernel/db/db.ts';
import { used } from '#test/budgets.ts';
import { harness } from '#test/harness.ts';
import { sent } from '#test/statements.ts';

const h = await harness();

test('rows past their retention time are deleted, and no others', async () => {
  const as = await h.user();
  const headers = { 'idempotency-key': 'kept a day' };
  await h.call('POST /wallets/fiat', { as, headers, body: { currency: 'AUD' } });
  await h.db
    .insertInto('login_failures')
    .values({ account: 'a', address: 'b', at: h.clock.now().toISOString() })
    .execute();
  await used(h, 'spent', 1);
  type Table = 'budgets' | 'idempotency_keys' | 'login_failures' | 'sessions';
  const count = async (table: Table) => {
    const { n } = await h.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  };
  await h.advance(3600);
  await h.drain();
  expect([await count('idempotency_keys'), await count('login_failures')]).toEqual([1, 1]);
  await h.advance(26 * 3600);
  await h.drain();
  expect([await count('idempotency_keys'), await count('login_failures')]).toEqual([0, 0]);
  expect([await count('budgets'), await count('sessions')]).toEqual([0, 1]);
  await h.advance(40 * 24 * 3600);
  await h.drain();
  expect(await count('sessions')).toBe(0);
});

test('a backlog of any size is deleted, a batch in each transaction', async () => {
  const old = new Date(h.clock.now().getTime() - 48 * 3600 * 1000);
  await run(
    h.db,
    "insert into login_failures select 'a' || n, 'b', $1 from generate_series(1, 12001) n",
    [old],
  );
  sent.length = 0;
  await forgetFailures(h.db, h.clock.now().toISOString());
  expect(sent.filter((text) => text.includes('delete from login_failures'))).toHaveLength(4);
  expect(await run(h.db, 'select from login_failures', [])).toEqual([]);
});
