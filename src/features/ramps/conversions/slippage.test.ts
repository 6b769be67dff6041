import { afterEach, beforeEach, expect, test } from 'vitest';
import { arrive, behave, converting, misbehave, wrongBooks } from '#test/conversions.ts';
import { harness } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';

/** One USDC is 15,955 rupiah by the reference rate of the sandbox; 3 percent more are 16,433.65. */
const h = await harness({ mock: false });
await h.drain();
const operator = await h.operator();
beforeEach(() => h.sandbox('DELETE', '/exchange/behaviour'));
afterEach(async () => {
  await h.sandbox('DELETE', '/faults');
  expect(await wrongBooks(h)).toEqual([]);
});

/** A job whose rupiah are at the exchange. */
async function atExchange() {
  const user = await converting(h);
  const [, { data }] = await user.start(400_000);
  await arrive(h, data.reference_id);
  await h.call('POST /exchange/conversion/poll-balance', { as: operator });
  const trade = async () => {
    const params = { job_id: data.job_id };
    await h.call('POST /exchange/conversion/execute-trade/{job_id}', {
      as: await logInAgain(h, operator),
      params,
    });
    await h.drain();
    return user.status(data.job_id);
  };
  return { user, trade };
}

const ordersThere = async (): Promise<number> => {
  const { rows } = await h.kernel.pool.query(
    `select count(*)::int as n from sandbox.records where provider = 'exchange' and kind = 'order'`,
  );
  return rows[0].n;
};

test('an order beyond the price limit is not sent, and waits', async () => {
  const { trade } = await atExchange();
  await behave(h, { asks: [['17000', '1000']] });
  const before = await ordersThere();
  expect(await trade()).toMatchObject({ status: 'TRADING', reason: { code: 'PRICE_LIMIT' } });
  expect(await ordersThere()).toBe(before);
  await h.sandbox('DELETE', '/exchange/behaviour');
  expect(await trade()).toMatchObject({ status: 'COMPLETED', reason: null });
});

test('the price of the whole order counts, not the first offer', async () => {
  const { trade } = await atExchange();
  await behave(h, {
    asks: [
      ['9000', '1'],
      ['15900', '1'],
      ['18000', '1000'],
    ],
  });
  expect(await trade()).toMatchObject({ reason: { code: 'PRICE_LIMIT' } });
  // The offers may come in any order.
  await behave(h, {
    asks: [
      ['15950', '1000'],
      ['15900', '1'],
      ['9000', '1'],
    ],
  });
  expect(await trade()).toMatchObject({ status: 'COMPLETED' });
});

test.each([
  ['fx', 'NO_REFERENCE_RATE'],
  ['exchange', 'NO_PRICE'],
])('nothing is bought without an answer of %s', async (provider, code) => {
  const { trade } = await atExchange();
  const before = await ordersThere();
  await misbehave(h, provider, 'error', 20);
  if (provider === 'fx') await h.advance(3600);
  expect(await trade()).toMatchObject({ status: 'TRADING', reason: { code } });
  await h.sandbox('DELETE', '/faults');
  expect(await ordersThere()).toBe(before);
  await h.advance(301);
  expect(await trade()).toMatchObject({ status: 'COMPLETED' });
});

test('a forbidden wallet gets nothing, and a new one gets the USDC', async () => {
  const { user, trade } = await atExchange();
  const set = (address: string) =>
    h.kernel.pool.query('update exchange_wallets set wallet_address = $2 where user_id = $1', [
      ...[user.as.user_id, address],
    ]);
  const { rows } = await h.kernel.pool.query(
    'select wallet_address from exchange_wallets where user_id = $1',
    [user.as.user_id],
  );
  await set('T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb');
  expect(JSON.stringify(await trade())).toContain('belongs to no one');
  await set(rows[0].wallet_address);
  await h.advance(7_200);
  await h.drain();
  await h.call('POST /exchange/conversion/run-trades', { as: operator });
  await h.drain();
  expect(JSON.stringify(await trade())).toContain('COMPLETED');
});
