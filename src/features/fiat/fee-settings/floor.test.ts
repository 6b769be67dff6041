import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';
import type { FeeTerms } from './store.ts';
import { feeTermsFor } from './terms.ts';

const h = await harness({ mock: false });
const operator = await h.operator();
const DEFAULTS = {
  platform_fee_percentage: 0.5,
  minimum_platform_fee_usd: 0.1,
  gas_price_multiplier: 1.2,
};
const put = (as: Person, terms: Partial<typeof DEFAULTS> = {}) =>
  h.call('PUT /onchain/admin/fee-settings', { as, body: { ...DEFAULTS, ...terms } });
const shown = async (as: Person) =>
  (await h.call('GET /onchain/admin/fee-settings', { as }))[1].data.platform_fee_settings;
const charged = (client_id: number) => feeTermsFor(h.db, h.kernel.config, client_id);

/** As an earlier version, or mock mode, would have stored them. */
const store = ({ client_id, user_id }: Person, terms: FeeTerms) =>
  h.db
    .insertInto('fee_settings')
    .values({ client_id, updated_by_admin_id: user_id, ...terms })
    .execute();

// The first, while the operator has no record and the defaults are its terms.
test.each([
  ['platform_fee_percentage', 0, 0.5],
  ['minimum_platform_fee_usd', 0.000001, 0.1],
  ['gas_price_multiplier', 1, 1.2],
] as const)('no client lowers %s to %d below the platform’s own', async (field, value, least) => {
  const admin = await h.user({ role: 'admin' });
  const [status, { error }] = await put(admin, { [field]: value });
  expect([status, error.code]).toEqual([400, 'FEE_BELOW_FLOOR']);
  expect(error.message).toBe(
    'Fees may not be below those of the platform: platform_fee_percentage 0.5, ' +
      'minimum_platform_fee_usd 0.1, gas_price_multiplier 1.2',
  );
  expect(error.details).toEqual([{ field, message: `must be at least ${least}` }]);
  expect(await charged(admin.client_id)).toEqual({
    fee_ppm: 5_000,
    minimum_micro_usd: 100_000,
    gas_points: 12_000,
  });
});

test('a refused change leaves the terms in force', async () => {
  const admin = await h.user({ role: 'admin' });
  expect((await put(admin, { platform_fee_percentage: 2 }))[0]).toBe(200);
  expect((await put(admin, { platform_fee_percentage: 0.4 }))[0]).toBe(400);
  expect(await shown(admin)).toMatchObject({ platform_fee_percentage: 2 });
});

test('a client may set terms at the floor and above', async () => {
  const admin = await h.user({ role: 'admin' });
  expect((await put(admin))[0]).toBe(200);
  expect((await put(admin, { platform_fee_percentage: 10, gas_price_multiplier: 3 }))[0]).toBe(200);
});

test('only the operator moves the floor, down as well as up', async () => {
  const admin = await h.user({ role: 'admin' });
  expect((await put(operator, { platform_fee_percentage: 0.1 }))[0]).toBe(200);
  expect((await put(admin, { platform_fee_percentage: 0.2 }))[0]).toBe(200);
  expect((await put(operator, { platform_fee_percentage: 1 }))[0]).toBe(200);
  const [status, { error }] = await put(admin, { platform_fee_percentage: 0.9 });
  expect([status, error.code]).toEqual([400, 'FEE_BELOW_FLOOR']);
});

test('effective fees follow a rising floor, and stored terms below it do not count', async () => {
  const admin = await h.user({ role: 'admin' });
  await store(admin, { fee_ppm: 0, minimum_micro_usd: 900_000, gas_points: 10_000 });
  await put(operator, { platform_fee_percentage: 1.5, gas_price_multiplier: 1.4 });
  const floored = { fee_ppm: 15_000, minimum_micro_usd: 900_000, gas_points: 14_000 };
  expect(await charged(admin.client_id)).toEqual(floored);
  expect(await shown(admin)).toMatchObject({
    platform_fee_percentage: 1.5,
    minimum_platform_fee_usd: 0.9,
    gas_price_multiplier: 1.4,
  });
});

test('a send of such a client pays the platform’s fees', async () => {
  const admin = await h.user({ role: 'admin' });
  await store(admin, { fee_ppm: 0, minimum_micro_usd: 1, gas_points: 10_000 });
  await put(operator, { platform_fee_percentage: 0.5 });
  const [wallet] = await walletOn(h, admin, 'amoy');
  const { wallet_address = '' } = wallet ?? {};
  await fund(h, 'amoy', wallet_address, 'native', '1');
  await fund(h, 'amoy', wallet_address, 'USDC', '4100');
  const [status, { data }] = await h.call('POST /onchain/execute', {
    as: admin,
    body: {
      wallet_address,
      chain_id: 'amoy',
      token_symbol: 'USDC',
      token_contract: h.app.evm.chains.amoy.contracts.usdc,
      to_address: '0x52908400098527886E0F7030069857D2E4169EE7',
      amount: '4000',
    },
  });
  expect([status, data.transaction.platform_fee]).toEqual([201, '20']);
});
