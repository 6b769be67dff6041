import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { closeAccount } from '#kernel/ledger/accounts.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { type CardUser, cardUser, GOOD, houseBalance, whenAllHaveAsked } from '#test/cards.ts';
import { type Harness, harness } from '#test/harness.ts';

/** Settlements that arrive together are booked together. */
const transactionsOf = async (h: Harness, users: readonly CardUser[]) => {
  const [row] = await run<{ written: number }>(
    h.db,
    'select count(distinct xmin::text) as written from card_transactions where user_id = any($1)',
    [users.map(({ as }) => as.user_id)],
  );
  return row?.written;
};
const many = <T>(length: number, make: (i: number) => T): T[] =>
  Array.from({ length }, (_, i) => make(i));

test.each([
  ['mock', true],
  ['live', false],
])('in %s mode concurrent top-ups share transactions, and each is booked once', async (_, mock) => {
  const h = await harness({ mock });
  const users = await Promise.all(many(4, async () => cardUser(h, await h.user())));
  for (const { as } of users) await h.call('POST /wallets/fiat', { as, body: { currency: 'VND' } });
  const answers = await whenAllHaveAsked(h, 80, () =>
    Promise.all(many(80, (i) => users[i % 4]?.topUp(100 + i, GOOD, i % 3 === 0 ? 'VND' : 'USD'))),
  );
  expect(answers.map((answer) => answer?.[0])).toEqual(Array(80).fill(200));
  for (const [i, answer] of answers.entries())
    expect(answer?.[1].data).toMatchObject({ amount: 100 + i, status: 'SUCCESS_RECEIVED' });
  expect(new Set(answers.map((answer) => answer?.[1].data.reference_id)).size).toBe(80);
  expect(await transactionsOf(h, users)).toBeLessThan(80);
  const of = (currency: string) =>
    answers.map((answer) => answer?.[1].data).filter((data) => data.currency === currency);
  for (const [currency, scale] of [
    ['USD', 100],
    ['VND', 1],
  ] as const) {
    const taken = of(currency).reduce((sum, { amount }) => sum + amount * scale, 0);
    expect(await houseBalance(h, 'card-settlement', currency)).toBe(-BigInt(taken));
  }
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test('a top-up that cannot be booked fails alone', async () => {
  const h = await harness();
  const users = await Promise.all(many(6, async () => cardUser(h, await h.user())));
  const [closed, ...others] = users;
  const [wallet] = await run<{ account_id: number }>(
    h.db,
    'select account_id from fiat_wallets where user_id = $1',
    [closed?.as.user_id],
  );
  expect(await closeAccount(h.db, wallet?.account_id ?? 0)).toBe(true);
  const answers = await Promise.all(users.map((user) => user.topUp(10)));
  expect(answers[0]?.[1].code).toBe('ACCOUNT_NOT_ACTIVE');
  expect(answers.slice(1).map(([status]) => status)).toEqual(Array(5).fill(200));
  for (const user of others) expect(await user.balance()).toEqual([9_70n, 0n]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});
