import { describe, expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';
import { feeTermsFor } from './terms.ts';

const h = await harness();
const TERMS = {
  platform_fee_percentage: 1.25,
  minimum_platform_fee_usd: 0.5,
  gas_price_multiplier: 1.5,
};
const put = (as: Person, body: object) => h.call('PUT /onchain/admin/fee-settings', { as, body });
const get = async (as: Person) => (await h.call('GET /onchain/admin/fee-settings', { as }))[1].data;

test('the defaults apply until a client sets its own, and the answer says so', async () => {
  const admin = await h.user({ role: 'admin' });
  expect(await get(admin)).toEqual({
    platform_fee_settings: {
      platform_fee_percentage: 0.5,
      minimum_platform_fee_usd: 0.1,
      gas_price_multiplier: 1.2,
      updated_at: null,
      created_at: null,
    },
    is_default: true,
  });
});

test('an update replaces the record in force, and keeps the old one inactive', async () => {
  const admin = await h.user({ role: 'admin' });
  const [status, { data }] = await put(admin, TERMS);
  expect(status).toBe(200);
  expect(data).toMatchObject({
    updated_settings: { ...TERMS, updated_by_admin_id: admin.user_id, is_active: true },
    updated_by: admin.user_id,
    previous_settings_deactivated: false,
  });
  const next = { ...TERMS, platform_fee_percentage: '2' };
  expect((await put(admin, next))[1].data.previous_settings_deactivated).toBe(true);
  expect(await get(admin)).toMatchObject({
    platform_fee_settings: { ...TERMS, platform_fee_percentage: 2 },
    is_default: false,
  });
  const rows = await h.db
    .selectFrom('fee_settings')
    .select('is_active')
    .where('client_id', '=', admin.client_id)
    .orderBy('id')
    .execute();
  expect(rows.map(({ is_active }) => is_active)).toEqual([false, true]);
});

test('concurrent updates leave exactly one record in force', async () => {
  const admin = await h.user({ role: 'admin' });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => put(admin, { ...TERMS, platform_fee_percentage: i })),
  );
  expect(answers.map(([status]) => status)).toEqual(Array(10).fill(200));
  const active = await h.db
    .selectFrom('fee_settings')
    .select('id')
    .where('client_id', '=', admin.client_id)
    .where('is_active', '=', true)
    .execute();
  expect(active).toHaveLength(1);
});

describe('a client without a record of its own', () => {
  test('pays the operator’s fees until it sets its own', async () => {
    const operator = await h.operator();
    const admin = await h.user({ role: 'admin' });
    await put(operator, { ...TERMS, platform_fee_percentage: 3 });
    expect(await get(admin)).toMatchObject({
      platform_fee_settings: { platform_fee_percentage: 3 },
      is_default: false,
    });
    expect(await feeTermsFor(h.db, h.kernel.config, admin.client_id)).toMatchObject({
      fee_ppm: 30_000,
    });
    await put(admin, { ...TERMS, platform_fee_percentage: 4 });
    expect(await feeTermsFor(h.db, h.kernel.config, admin.client_id)).toMatchObject({
      fee_ppm: 40_000,
    });
    expect((await get(operator)).platform_fee_settings.platform_fee_percentage).toBe(3);
  });
});

describe('terms', () => {
  test.each([
    [{ platform_fee_percentage: 0 }],
    [{ platform_fee_percentage: 10 }],
    [{ platform_fee_percentage: '0.0001' }],
    [{ minimum_platform_fee_usd: '0.000001' }],
    [{ gas_price_multiplier: 1 }],
    [{ gas_price_multiplier: '3.0' }],
  ])('at their bounds are accepted: %j', async (some) => {
    expect((await put(await h.user({ role: 'admin' }), { ...TERMS, ...some }))[0]).toBe(200);
  });

  test.each([
    ['platform_fee_percentage', 10.0001],
    ['platform_fee_percentage', -1],
    ['platform_fee_percentage', '0.00001'],
    ['platform_fee_percentage', null],
    ['platform_fee_percentage', true],
    ['minimum_platform_fee_usd', 0],
    ['minimum_platform_fee_usd', '1e3'],
    ['minimum_platform_fee_usd', 1_000_001],
    ['gas_price_multiplier', 0.99],
    ['gas_price_multiplier', 3.01],
    ['gas_price_multiplier', undefined],
  ])('beyond them are refused by name: %s %j', async (field, value) => {
    const admin = await h.user({ role: 'admin' });
    const [status, { error }] = await put(admin, { ...TERMS, [field]: value });
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error.details).toEqual([{ field, message: expect.any(String) }]);
    expect(await feeTermsFor(h.db, h.kernel.config, admin.client_id)).not.toMatchObject({
      fee_ppm: 12_500,
    });
  });

  test('are for admins only', async () => {
    const user = await h.user();
    expect(await put(user, TERMS)).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
    expect((await h.call('GET /onchain/admin/fee-settings', { as: user }))[0]).toBe(403);
  });
});
