import { describe, expect, test } from 'vitest';
import { expectEven, HASH } from '#test/cardano-ramps.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
const hash = expect.stringMatching(HASH);

describe('the balance', () => {
  test('of an address: coins, and the USDC of our policy', async () => {
    const { user } = { user: await h.user() };
    const address = ADDRESS;
    await h.sandbox('POST', '/faucet', { chain: 'cardano', address, asset: 'native', amount: '7' });
    const gift = await h.sandbox('POST', '/faucet', {
      chain: 'cardano',
      address,
      asset: 'USDC',
      amount: '2.5',
    });
    expect(gift).toEqual({ tx_hash: hash, balance: '2.500000' });
    const [status, body] = await h.call('GET /cardano/balance/{address}', {
      as: user,
      params: { address },
    });
    const { policyId, assetId } = await h.app.cardano.identity();
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          address,
          balances: {
            ada: {
              amount: '8.034400',
              lovelace: '8034400',
              usd_value: 2.81,
              held: '1.034400',
              available: '7.000000',
            },
            usdc: {
              held: '0.000000',
              available: '2.500000',
              amount: '2.500000',
              usd_value: 2.5,
              asset_name: 'USDC',
              policy_id: policyId,
              asset_id: assetId,
            },
            total_usd_value: 5.31,
          },
          network: 'preprod',
          last_updated: expect.any(String),
        },
      },
    ]);
    await expectEven(h);
  });

  test('of the treasury without an address; an invalid address is refused', async () => {
    const as = await h.user();
    const { treasury } = await h.app.cardano.identity();
    for (const left of ['', '/', '/%20'])
      expect(await h.call(`GET /cardano/balance${left}`, { as })).toMatchObject([
        200,
        { data: { address: treasury } },
      ]);
    const wrong = await h.call('GET /cardano/balance/{address}', {
      as,
      params: { address: 'addr_test1nothing' },
    });
    expect(wrong).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
  });
});

/** Another of the standard's examples. */
const ADDRESS = 'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz';
