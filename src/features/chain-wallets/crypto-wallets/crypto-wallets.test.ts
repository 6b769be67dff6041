import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();

const create = async (as: Person, chain_id = 'sepolia', wallet_name = 'Savings') => {
  const body = { user_id: as.user_id, wallet_name, chain_id };
  const [status, answer] = await h.call('POST /manual/wallets/crypto', { as, body });
  expect(status).toBe(200);
  return answer.data;
};
const addAddress = (as: Person, bw_id: number, chain_id = 'sepolia') =>
  h.call('POST /manual/wallets/crypto/{bw_id}/address', {
    as,
    params: { bw_id },
    body: { chain_id },
  });
const list = async (as: Person, user_id = as.user_id) =>
  h.call('GET /manual/wallets/crypto/{user_id}', { as, params: { user_id } });
const remove = (as: Person, bw_id: number, body: object) =>
  h.call('POST /manual/wallets/crypto/{bw_id}/delete', { as, params: { bw_id }, body });

describe('a new wallet', () => {
  test('has no address yet, and the first one is the primary one', async () => {
    const as = await h.user();
    const first = await create(as);
    expect(first).toMatchObject({
      user_id: as.user_id,
      wallet_name: 'Savings',
      wallet_label: 'Savings (Ethereum)',
      network: 'evm',
      chain_id: 'sepolia',
      addresses: [],
      address_count: 0,
      status: 'setup_needed',
      is_primary: true,
    });
    expect((await create(as, 'amoy')).is_primary).toBe(false);
  });

  test('is one primary among any number that are made at once', async () => {
    const as = await h.user();
    await Promise.all(Array.from({ length: 8 }, () => create(as)));
    const [, { data }] = await list(as);
    expect(data.wallets).toHaveLength(8);
    const primary = data.wallets.filter((wallet: { is_primary: boolean }) => wallet.is_primary);
    expect(primary).toHaveLength(1);
    expect(data.summary).toEqual({
      total_wallets: 8,
      active_wallets: 0,
      total_addresses: 0,
      total_chains: 0,
    });
  });

  test.each([
    ['MISSING_FIELDS', {}],
    ['MISSING_FIELDS', { wallet_name: 'A', chain_id: 'amoy' }],
    ['MISSING_FIELDS', { user_id: null, wallet_name: 'A', chain_id: 'amoy' }],
    ['MISSING_FIELDS', { user_id: 1, wallet_name: ' ', chain_id: 'amoy' }],
    ['MISSING_FIELDS', { user_id: 1, wallet_name: 'A', chain_id: '' }],
    ['VALIDATION_ERROR', { user_id: 'x', wallet_name: 'A', chain_id: 'amoy' }],
    ['VALIDATION_ERROR', { user_id: 1, wallet_name: 'A', chain_id: 'mainnet' }],
    ['VALIDATION_ERROR', { user_id: 1, wallet_name: 'A'.repeat(101), chain_id: 'amoy' }],
  ])('is refused with %s for %j', async (code, body) => {
    const as = await h.user();
    const answer = await h.call('POST /manual/wallets/crypto', { as, body });
    expect(answer).toMatchObject([400, { success: false, error: { code } }]);
    expect((await list(as))[1].data.wallets).toEqual([]);
  });

  test('is opened by an admin for a user of the own client, and by nobody else', async () => {
    const admin = await h.user({ role: 'admin' });
    const user = await h.user({ client_id: admin.client_id });
    const body = { user_id: user.user_id, wallet_name: 'For you', chain_id: 'neon' };
    expect((await h.call('POST /manual/wallets/crypto', { as: admin, body }))[0]).toBe(200);
    for (const as of [await h.user(), await h.user({ role: 'admin' })])
      expect(await h.call('POST /manual/wallets/crypto', { as, body })).toMatchObject([
        404,
        { error: { code: 'USER_NOT_FOUND' } },
      ]);
  });
});

describe('an address', () => {
  test('belongs to the words that are shown with it, which are sealed at rest', async () => {
    const as = await h.user();
    const { bw_id } = await create(as);
    const [status, { data, security_note }] = await addAddress(as, bw_id);
    expect(status).toBe(200);
    expect(data).toMatchObject({ bw_id, wallet_name: 'Savings', native_symbol: 'ETH' });
    expect(mnemonicToAccount(data.mnemonic).address).toBe(data.wallet_address);
    expect(security_note).toMatch(/never again/);

    const rows = await h.db.selectFrom('wallet_addresses').selectAll().execute();
    const row = rows.find(({ address_id }) => address_id === data.address_id);
    expect(JSON.stringify(rows)).not.toContain(data.mnemonic);
    const { vault } = h.kernel;
    expect(vault.open(row?.sealed_mnemonic ?? '', `mnemonic:${data.address_id}`)).toBe(
      data.mnemonic,
    );
    expect(() => vault.open(row?.sealed_mnemonic ?? '', 'mnemonic:0')).toThrow();
    expect(JSON.stringify((await list(as))[1])).not.toContain(data.mnemonic);
    expect(h.logs.join('')).not.toContain(data.mnemonic);
  });

  test('is one per chain, however many are asked for at once', async () => {
    const as = await h.user();
    const { bw_id } = await create(as);
    const answers = await Promise.all(Array.from({ length: 6 }, () => addAddress(as, bw_id)));
    expect(answers.map(([status]) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const refused = answers.find(([status]) => status === 409)?.[1];
    expect(refused).toMatchObject({ success: false, error: { code: 'CHAIN_EXISTS' } });
    expect((await addAddress(as, bw_id, 'neon'))[0]).toBe(200);
    const [, { data }] = await h.call('GET /manual/wallets/crypto/{bw_id}/addresses', {
      as,
      params: { bw_id },
    });
    expect(data).toMatchObject({
      wallet_id: bw_id,
      total_addresses: 2,
      supported_chains: ['sepolia', 'neon'],
      total_assets: 0,
      chain_groups: {
        sepolia: [{ address_id: expect.any(Number), asset_count: 0 }],
        neon: [{ wallet_address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) }],
      },
    });
  });

  test('shows its words again to the log-in that has made it, under its key, and to no other', async () => {
    const as = await h.user();
    const { bw_id } = await create(as);
    const call = (token = as.token) =>
      h.call('POST /manual/wallets/crypto/{bw_id}/address', {
        as: { token },
        params: { bw_id },
        body: { chain_id: 'amoy' },
        headers: { 'idempotency-key': `address-${bw_id}` },
      });
    const first = await call();
    expect(first[0]).toBe(200);
    expect(await call()).toEqual(first);
    const { email: usernameoremail, password } = as;
    const [, { data }] = await h.call('POST /auth/login', { body: { usernameoremail, password } });
    expect(await call(data.token)).toMatchObject([
      409,
      { error: { code: 'IDEMPOTENCY_ANSWER_NOT_KEPT' } },
    ]);
  });

  test('is made for the owner only, not even for an admin, who would see the words', async () => {
    const admin = await h.user({ role: 'admin' });
    const owner = await h.user({ client_id: admin.client_id });
    const { bw_id } = await create(owner);
    for (const as of [admin, await h.user()])
      expect(await addAddress(as, bw_id)).toMatchObject([
        404,
        { error: { code: 'WALLET_NOT_FOUND' } },
      ]);
    expect(await addAddress(owner, bw_id, 'base')).toMatchObject([
      400,
      { error: { code: 'VALIDATION_ERROR' } },
    ]);
    expect(
      await h.call('POST /manual/wallets/crypto/{bw_id}/address', {
        as: owner,
        params: { bw_id },
        body: {},
      }),
    ).toMatchObject([400, { error: { code: 'MISSING_FIELDS' } }]);
  });
});

describe('reading wallets', () => {
  test('is for the owner and the admins of the client; to others there are none', async () => {
    const admin = await h.user({ role: 'admin' });
    const owner = await h.user({ client_id: admin.client_id });
    const { bw_id } = await create(owner);
    for (const as of [owner, admin, await h.operator()])
      expect((await list(as, owner.user_id))[1].data.wallets).toHaveLength(1);
    for (const as of [await h.user(), await h.user({ role: 'admin' })]) {
      expect(await list(as, owner.user_id)).toMatchObject([
        404,
        { error: { code: 'USER_NOT_FOUND' } },
      ]);
      const path = 'GET /manual/wallets/crypto/{bw_id}/addresses';
      expect(await h.call(path, { as, params: { bw_id } })).toMatchObject([
        404,
        { error: { code: 'WALLET_NOT_FOUND' } },
      ]);
    }
    expect(
      (await h.call('GET /manual/wallets/crypto/{user_id}', { params: { user_id: 1 } }))[0],
    ).toBe(401);
  });
});

describe('deleting a wallet', () => {
  test.each([undefined, null, 'DELETE', 'delete ', true, ['delete']])(
    'needs the exact word: %j is none',
    async (confirmation) => {
      const as = await h.user();
      const { bw_id } = await create(as);
      const [status, { error }] = await remove(as, bw_id, { confirmation, user_id: as.user_id });
      expect([status, error.code]).toEqual([400, 'CONFIRMATION_REQUIRED']);
      expect(error.received_confirmation).toEqual(confirmation ?? null);
      expect((await list(as))[1].data.wallets).toHaveLength(1);
    },
  );

  test('is told to want the word before it is told of anything else', async () => {
    const as = await h.user();
    const { bw_id } = await create(as);
    for (const body of [{}, { confirmation: 'DELETE', user_id: 'x' }])
      expect((await remove(as, bw_id, body))[1].error).toMatchObject({
        code: 'CONFIRMATION_REQUIRED',
        received_confirmation: 'confirmation' in body ? 'DELETE' : null,
      });
  });

  test('removes addresses and keys for good, and another one becomes primary', async () => {
    const as = await h.user();
    const { bw_id } = await create(as);
    const other = await create(as, 'amoy', 'Other');
    const [, { data: address }] = await addAddress(as, bw_id);
    const body = { confirmation: 'delete', user_id: as.user_id };
    expect(await remove(as, bw_id, body)).toMatchObject([
      200,
      { data: { deleted_wallet: { bw_id, wallet_name: 'Savings', user_id: as.user_id } } },
    ]);
    const left = await h.db
      .selectFrom('wallet_addresses')
      .select('address_id')
      .where('address_id', '=', address.address_id)
      .execute();
    expect(left).toEqual([]);
    const [, { data }] = await list(as);
    expect(data.wallets).toMatchObject([{ bw_id: other.bw_id, is_primary: true }]);
    expect((await remove(as, bw_id, body))[0]).toBe(404);
  });

  test('is for its owner only', async () => {
    const owner = await h.user();
    const { bw_id } = await create(owner);
    const thief = await h.user({ role: 'admin', client_id: owner.client_id });
    for (const user_id of [owner.user_id, thief.user_id])
      expect(await remove(thief, bw_id, { confirmation: 'delete', user_id })).toMatchObject([
        404,
        { error: { code: 'WALLET_NOT_FOUND' } },
      ]);
    expect((await remove(owner, bw_id, { confirmation: 'delete' }))[1].error.code).toBe(
      'MISSING_FIELDS',
    );
  });
});
