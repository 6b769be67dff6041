import { describe, expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';
import { loseAnswers } from '#test/lost-answers.ts';
import { walletOn } from '#test/wallets.ts';

const h = await harness();
const { usdc, idr_token } = h.app.evm.chains.amoy.contracts;
const load = (as: Person, body: object) => h.call('POST /tokens/import', { as, body });
const stored = async () =>
  (await h.db.selectFrom('wallet_assets').select('asset_id').execute()).length;

describe('a token', () => {
  test('is read from its chain and added to all of the user’s wallets there, once', async () => {
    const as = await h.user();
    const [first] = await walletOn(h, as, 'amoy', 'neon');
    const [second] = await walletOn(h, as, 'amoy');
    const body = { chain_id: 'amoy', asset_issuer: idr_token.toLowerCase() };
    const [status, { data }] = await load(as, body);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      user_id: as.user_id,
      chain_id: 'amoy',
      token_address: idr_token,
      token_info: { symbol: expect.any(String), name: expect.any(String), decimals: 2 },
      imported_to_wallets: 2,
      wallet_details: [{ bw_id: first?.bw_id }, { bw_id: second?.bw_id }],
    });
    expect(data.asset_ids).toHaveLength(2);
    expect(await load(as, body)).toMatchObject([
      409,
      { success: false, error: { code: 'TOKEN_ALREADY_EXISTS' } },
    ]);
    await walletOn(h, as, 'amoy');
    expect((await load(as, body))[1].data.imported_to_wallets).toBe(1);

    const [, list] = await h.call('GET /manual/wallets/crypto/{user_id}', {
      as,
      params: { user_id: as.user_id },
    });
    expect(list.data.wallets[0]).toMatchObject({
      total_tokens: 1,
      total_assets: 1,
      addresses: [
        { asset_count: 1, has_assets: true },
        { asset_count: 0, has_assets: false },
      ],
    });
  });

  test('is told again as it was added, where the process died before it could keep its answer', async () => {
    const as = await h.user();
    await walletOn(h, as, 'amoy');
    const body = { chain_id: 'amoy', asset_issuer: idr_token };
    const headers = { 'idempotency-key': 'imported' };
    const ask = () => h.call('POST /tokens/import', { as, body, headers });
    const [status, { data }] = await ask();
    expect(status).toBe(200);
    await loseAnswers(h);
    const { imported_at: _, ...same } = data;
    expect(await ask()).toMatchObject([200, { data: same }]);
    expect((await load(as, body))[0]).toBe(409);
  });

  test('is added once by any number of requests at once', async () => {
    const as = await h.user();
    await walletOn(h, as, 'amoy');
    const body = { chain_id: 'amoy', asset_issuer: usdc };
    const answers = await Promise.all(Array.from({ length: 6 }, () => load(as, body)));
    expect(answers.map(([status]) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  test.each([
    ['MISSING_FIELDS', {}],
    ['MISSING_FIELDS', { chain_id: 'amoy' }],
    ['VALIDATION_ERROR', { chain_id: 'goerli', asset_issuer: usdc }],
    ['VALIDATION_ERROR', { chain_id: 'amoy', asset_issuer: '0x1234' }],
    ['VALIDATION_ERROR', { chain_id: 'amoy', asset_issuer: `0x${'a'.repeat(39)}g` }],
    ['VALIDATION_ERROR', { chain_id: 'amoy', asset_issuer: `0x${'aB'.repeat(20)}` }],
    // Nobody's address, and a contract that is no token.
    ['VALIDATION_ERROR', { chain_id: 'amoy', asset_issuer: `0x${'1'.repeat(40)}` }],
    [
      'VALIDATION_ERROR',
      { chain_id: 'amoy', asset_issuer: h.app.evm.chains.amoy.contracts.bridge },
    ],
  ])('is refused with %s for %j, and nothing is stored', async (code, body) => {
    const as = await h.user();
    await walletOn(h, as, 'amoy');
    const before = await stored();
    expect(await load(as, body)).toMatchObject([400, { error: { code } }]);
    expect(await stored()).toBe(before);
  });

  test('needs a wallet on its chain, and whoever imports it the right to that wallet', async () => {
    const as = await h.user();
    await walletOn(h, as, 'sepolia');
    expect(await load(as, { chain_id: 'amoy', asset_issuer: usdc })).toMatchObject([
      404,
      { error: { code: 'WALLET_NOT_FOUND' } },
    ]);
    const body = { chain_id: 'sepolia', asset_issuer: usdc, user_id: as.user_id };
    for (const stranger of [await h.user(), await h.user({ role: 'admin' })])
      expect(await load(stranger, body)).toMatchObject([
        404,
        { error: { code: 'USER_NOT_FOUND' } },
      ]);
    const admin = await h.user({ role: 'admin', client_id: as.client_id });
    expect((await load(admin, body))[0]).toBe(200);
  });
});
