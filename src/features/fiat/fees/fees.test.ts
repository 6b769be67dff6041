import { expect, test } from 'vitest';
import type { Asset } from '#kernel/money/money.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { feeOf } from './fees.ts';

const h = await harness();
const { client_id } = await h.client();
const ada = await h.user({ role: 'admin', client_id });
const user = await h.user({ client_id });

const put = (as: Person, rows: object[], version?: number): Promise<[number, Body]> =>
  h.call('PUT /fees', { as, body: { rows, ...(version !== undefined && { version }) } });
const fee = async (asset: Asset, units: bigint, of = client_id) =>
  (await feeOf(h.db, { client_id: of, rail: 'withdrawal', amount: { asset, units } })).units;

test('the operator’s rows count where a client has none of its own', async () => {
  expect(await fee('IDR', 10_000_000n)).toBe(250_000n);
  expect(await fee('USD', 10_000n)).toBe(50n);
  const row = { rail: 'withdrawal', currency: 'USD', flat: '0.75', bps: 10, max: '2.00' };
  const [status, { data }] = await put(ada, [row], 0);
  expect([status, data.version]).toEqual([200, 1]);
  expect(await fee('USD', 10_001n)).toBe(75n + 11n);
  expect(await fee('USD', 10_000_000n)).toBe(200n);
  expect(await fee('IDR', 10_000_000n)).toBe(250_000n);
  const [, seen] = await h.call('GET /fees', { as: user });
  expect(seen.data.rows).toContainEqual({
    ...row,
    method: null,
    min: null,
  });
});

test('a client charges no less than the operator, and a change names its version', async () => {
  const below = await put(ada, [{ rail: 'withdrawal', currency: 'USD', flat: '0.10', bps: 0 }]);
  expect([below[0], below[1].error.code]).toEqual([400, 'FEE_BELOW_FLOOR']);
  const old = await put(ada, [], 0);
  expect([old[0], old[1].error]).toMatchObject([409, { code: 'VERSION_CONFLICT' }]);
  const twice = { rail: 'wallet', currency: 'USD', flat: '1', bps: 0 };
  expect((await put(ada, [twice, twice]))[1].error.code).toBe('VALIDATION_ERROR');
  expect((await put(user, []))[0]).toBe(403);
});

test('what has no row is free', async () => {
  expect(
    await feeOf(h.db, { client_id, rail: 'bridge', amount: { asset: 'USDC', units: 5n } }),
  ).toEqual({ units: 0n, terms: null });
});
