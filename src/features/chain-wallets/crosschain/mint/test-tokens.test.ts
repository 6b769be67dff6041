import { toHex } from 'viem';
import { expect, test } from 'vitest';
import { used } from '#test/budgets.ts';
import { freshAddress } from '#test/crosschain.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

// Amoy is a network of others, where gas costs something, and which cannot be reached; Sepolia is ours.
const h = await harness({
  mock: false,
  config: { EVM_AMOY_RPC_URL: 'http://127.0.0.1:1', TRUST_PROXY: '1' },
});
// The ceiling is that of a day, which should not end in the middle of this.
await h.advance(86_400 - (h.clock.seconds() % 86_400));
let serial = 0;
const newNetwork = () => {
  serial += 1;
  return `198.51.100.${serial}`;
};
const mint = (as: Person, chain: string, ip = newNetwork()): Promise<[number, Body]> =>
  h.call('POST /crosschain/test-mint', {
    as,
    headers: { 'x-forwarded-for': ip },
    body: { chain, address: freshAddress(), amount: '1' },
  });
const refused = async (answers: readonly Promise<[number, Body]>[]) =>
  (await Promise.all(answers)).filter(([status]) => status === 429).length;
const many = (n: number, one: () => Promise<[number, Body]>) => Array.from({ length: n }, one);

test('a user is given test tokens five times an hour where gas costs something', async () => {
  const as = await h.user();
  expect(await refused(many(8, () => mint(as, 'amoy')))).toBe(3);
  expect(await mint(as, 'amoy')).toMatchObject([
    429,
    { code: 'RATE_LIMITED', error: 'Too many test mints, try again later' },
  ]);
  expect((await mint(await h.user(), 'amoy'))[0]).not.toBe(429);
});

test('so is a network of many users, twenty times', async () => {
  const ip = newNetwork();
  const people = await Promise.all(Array.from({ length: 23 }, () => h.user()));
  expect(await refused(people.map((as) => mint(as, 'amoy', ip)))).toBe(3);
});

test('and all together have a day’s ceiling, of which somebody hears', async () => {
  await used(h, 'test mints a day', 299 - (await spentToday()));
  expect((await mint(await h.user(), 'amoy'))[0]).not.toBe(429);
  expect((await mint(await h.user(), 'amoy'))[0]).toBe(429);
  expect(h.logs.filter((line) => line.includes('a ceiling is reached'))).toHaveLength(1);
});

test('on nodes of our own a user has twenty, and spends nothing of what the others cost', async () => {
  const as = await h.user();
  const answers = await Promise.all(many(22, () => mint(as, 'sepolia')));
  expect(answers.filter(([status]) => status === 200)).toHaveLength(20);
  expect(answers.filter(([status]) => status === 429)).toHaveLength(2);
});

test('a platform without coins is not the caller’s fault, and the same key may ask again', async () => {
  const as = await h.user();
  const { hot } = h.app.evm.keys;
  const address = freshAddress();
  const client = await h.app.evm.chains.sepolia.client();
  const coins = await client.getBalance({ address: hot.address });
  const has = (units: bigint) => {
    const params = [hot.address, toHex(units)];
    return client.request({ method: 'anvil_setBalance', params } as never);
  };
  const ask = () =>
    h.call('POST /crosschain/test-mint', {
      as,
      headers: { 'idempotency-key': 'until there are coins' },
      body: { chain: 'sepolia', address, amount: '1' },
    });
  await has(0n);
  expect(await ask()).toMatchObject([503, { code: 'PROVIDER_UNAVAILABLE' }]);
  await has(coins);
  expect((await ask())[0]).toBe(200);
});

async function spentToday(): Promise<number> {
  const rows = await h.db
    .selectFrom('budgets')
    .where('subject', '=', 'test mints a day')
    .select('spent')
    .execute();
  return rows.reduce((sum, { spent }) => sum + spent, 0);
}
