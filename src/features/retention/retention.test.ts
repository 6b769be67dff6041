import { expect, test } from 'vitest';
import { used } from '#test/budgets.ts';
import { harness } from '#test/harness.ts';

const h = await harness();

test('what has served its time is forgotten, and nothing else', async () => {
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
