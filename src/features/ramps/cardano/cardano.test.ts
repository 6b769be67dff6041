import { describe, expect, test } from 'vitest';
import { ELSEWHERE } from '#test/cardano.ts';
import { expectEven, HASH, houseOf, rampUser } from '#test/cardano-ramps.ts';
import { DECLINED, GOOD } from '#test/cards.ts';
import { harness } from '#test/harness.ts';

const h = await harness({ config: { JWT_TTL: String(90 * 86_400) } });
await h.drain();
const someone = (usd?: string) => rampUser(h, undefined, usd);
const hash = expect.stringMatching(HASH);
const DONE = 'SUCCESS_RECEIVED';

/** 100 USD less 0.5 %, at 1.0, and on to SGD at 1.3425 less 0.75 %. */
const MINTED = '99.500000';
const OUT = '132.56';

describe('the six operations answer as in the contract, and the books agree', () => {
  test('wallet to an address of the user', async () => {
    const user = await someone();
    const before = await houseOf(h);
    const [status, body] = await user.ramp('wallet-mint-user');
    expect([status, body]).toEqual([
      200,
      {
        reference_id: expect.stringMatching(/^CARDANO-/),
        walletTx: {
          transaction_id: expect.stringMatching(/^WALLET-OUT-/),
          amount: '100.00',
          currency_from: 'USD',
          status: DONE,
          type: 'WITHDRAW',
        },
        mintTx: { txHash: hash, amount: MINTED, to_address: ELSEWHERE },
      },
    ]);
    expect(await user.balance('USD')).toEqual([0n, 0n]);
    const after = await houseOf(h);
    const grown = (name: string) => (after[name] ?? 0n) - (before[name] ?? 0n);
    expect(grown('cardano-fees USD')).toBe(50n);
    expect(grown('fx USD')).toBe(9950n);
    expect(grown('fx USDC')).toBe(-99_500_000n);
    expect(grown('cardano-circulation USDC')).toBe(99_500_000n);
    expect(grown('cardano-network-fees ADA')).toBeGreaterThan(1_000_000n);
    await expectEven(h);
  });

  test('wallet to a wallet of another user of the same client', async () => {
    const user = await someone();
    const payee = await rampUser(h, await h.user({ client_id: user.as.client_id }), '0');
    const wallet_to_id = await payee.wallet('SGD');
    const [status, body] = await user.ramp('wallet-offramp-wallet', { wallet_to_id });
    expect([status, body]).toEqual([
      200,
      {
        reference_id: expect.any(String),
        walletTxOut: {
          transaction_id: expect.any(String),
          amount: '100.00',
          currency_from: 'USD',
          status: DONE,
          type: 'WITHDRAW',
        },
        mintTx: { txHash: hash, amount: MINTED },
        burnTx: { txHash: hash, amount: MINTED },
        walletTxIn: {
          transaction_id: expect.any(String),
          amount: OUT,
          currency_to: 'SGD',
          status: DONE,
          type: 'TOPUP',
        },
      },
    ]);
    expect(body.mintTx.txHash).not.toBe(body.burnTx.txHash);
    expect(await payee.balance('SGD')).toEqual([13_256n, 0n]);
    await expectEven(h);
  });

  test('wallet to bank', async () => {
    const user = await someone();
    expect(await user.ramp('wallet-offramp-bank')).toEqual([
      200,
      {
        reference_id: expect.any(String),
        walletTx: expect.objectContaining({ amount: '100.00', type: 'WITHDRAW' }),
        mintTx: { txHash: hash, amount: MINTED },
        burnTx: { txHash: hash, amount: MINTED },
        bankTx: {
          transaction_id: expect.stringMatching(/^CARDANO-OUT-/),
          amount: OUT,
          currency_to: 'SGD',
          status: DONE,
          provider: 'BANK',
        },
      },
    ]);
    await expectEven(h);
  });

  test('card to wallet, to a bank and to an address', async () => {
    const user = await someone('0');
    const bankTxIn = {
      transaction_id: expect.stringMatching(/^TOPUP-/),
      amount: '100.00',
      currency_from: 'USD',
      status: DONE,
      provider: 'CARDS',
    };
    const two = {
      reference_id_in: expect.stringMatching(/^CARDANO-IN-/),
      reference_id_out: expect.stringMatching(/^CARDANO-OUT-/),
      vban: expect.stringMatching(/^88\d{13}$/),
      bankTxIn,
      mintTx: { txHash: hash, amount: MINTED },
      burnTx: { txHash: hash, amount: MINTED },
    };
    const to = { transaction_id: expect.any(String), amount: OUT, currency_to: 'SGD' };
    expect(await user.ramp('bank-offramp-wallet')).toEqual([
      200,
      { ...two, walletTx: { ...to, status: DONE, provider: 'PLATFORM' } },
    ]);
    expect(await user.ramp('bank-offramp-bank')).toEqual([
      200,
      { ...two, bankTxOut: { ...to, status: DONE, provider: 'BANK' } },
    ]);
    expect(await user.ramp('bank-mint-user')).toEqual([
      200,
      {
        reference_id: expect.any(String),
        vban: two.vban,
        bankTxIn,
        mintTx: { txHash: hash, amount: MINTED, to_address: ELSEWHERE },
      },
    ]);
    expect(await user.balance('USD')).toEqual([0n, 0n]);
    expect(await user.balance('SGD')).toEqual([13_256n, 0n]);
    await expectEven(h);
  });
});

describe('nothing moves', () => {
  test('for invalid input to any operation', async () => {
    const user = await someone();
    const stranger = await someone();
    const theirs = await stranger.wallet('USD');
    const INVALID = { code: 'VALIDATION_ERROR' };
    const cases: readonly (readonly [Parameters<typeof user.ramp>[0], object, number, object])[] = [
      ['wallet-mint-user', { currency_from: 'EUR' }, 400, INVALID],
      ['wallet-offramp-bank', { currency_to: 'XXX' }, 400, INVALID],
      ['wallet-mint-user', { fiat_amount: '0' }, 400, INVALID],
      ['wallet-mint-user', { fiat_amount: '-5' }, 400, INVALID],
      ['wallet-mint-user', { fiat_amount: '1.001' }, 400, INVALID],
      ['wallet-mint-user', { fiat_amount: 'much' }, 400, INVALID],
      ['wallet-mint-user', { fiat_amount: undefined }, 400, INVALID],
      ['wallet-mint-user', { fiat_amount: '0.01' }, 400, { code: 'INVALID_AMOUNT' }],
      ['wallet-mint-user', { fiat_amount: '1'.repeat(13) }, 400, { code: 'INVALID_AMOUNT' }],
      ['wallet-mint-user', { fiat_amount: '100.01' }, 400, { code: 'INSUFFICIENT_BALANCE' }],
      ['wallet-mint-user', { wallet_from_id: theirs }, 404, { code: 'WALLET_NOT_FOUND' }],
      ['wallet-mint-user', { wallet_from_id: 99_999 }, 404, { code: 'WALLET_NOT_FOUND' }],
      ['wallet-mint-user', { currency_from: 'SGD' }, 400, INVALID],
      ['wallet-offramp-wallet', { wallet_to_id: theirs }, 404, { code: 'WALLET_NOT_FOUND' }],
      ['wallet-offramp-wallet', { currency_to: 'IDR' }, 400, INVALID],
      [
        'wallet-offramp-wallet',
        { wallet_to_id: await user.wallet('USD'), currency_to: 'USD' },
        400,
        INVALID,
      ],
      ['wallet-mint-user', { user_id: stranger.as.user_id }, 404, { code: 'USER_NOT_FOUND' }],
      ['wallet-mint-user', { user_wallet_address: ELSEWHERE.replace(/.$/, 'q') }, 400, INVALID],
      ['wallet-mint-user', { user_wallet_address: `0x${'ab'.repeat(20)}` }, 400, INVALID],
      [
        'wallet-mint-user',
        { user_wallet_address: (await h.app.cardano.identity()).treasury },
        400,
        INVALID,
      ],
      ['bank-mint-user', { cardNumber: '4111111111111112' }, 400, INVALID],
      ['bank-mint-user', { cardNumber: '411111111111111' }, 400, INVALID],
      ['bank-mint-user', { expiry_date: '0120' }, 400, INVALID],
      ['bank-offramp-wallet', { cardNumber: DECLINED }, 400, { code: 'CARD_DECLINED' }],
    ];
    for (const [name, over, status, error] of cases) {
      const told = await user.ramp(name, over);
      expect(told, JSON.stringify([name, over])).toMatchObject([status, error]);
      expect(typeof told[1].error).toBe('string');
    }
    expect(await user.balance('USD')).toEqual([10_000n, 0n]);
    await expectEven(h);
  });

  test('without a log-in', async () => {
    const told = await h.call('POST /cardano/onramp-wallet-mint-user', { body: {} });
    expect(told).toMatchObject([401, { code: 'TOKEN_MISSING' }]);
  });

  test('for an admin with the money of a user', async () => {
    const user = await someone();
    const admin = await h.user({ role: 'admin', client_id: user.as.client_id });
    const owner = await rampUser(h, admin);
    const told = await owner.ramp('wallet-mint-user', { user_id: user.as.user_id });
    expect(told).toMatchObject([403, { code: 'ACCESS_DENIED' }]);
  });
});

test('for nineteen of twenty concurrent orders with money for one', async () => {
  const user = await someone();
  const all = await Promise.all(Array.from({ length: 20 }, () => user.ramp('wallet-mint-user')));
  expect(all.filter(([status]) => status === 200)).toHaveLength(1);
  expect(all.filter(([, body]) => body.code === 'INSUFFICIENT_BALANCE')).toHaveLength(19);
  expect(await user.balance('USD')).toEqual([0n, 0n]);
  await expectEven(h);
});

test('twenty concurrent users all complete', async () => {
  const users = await Promise.all(Array.from({ length: 20 }, () => someone()));
  const all = await Promise.all(users.map((user) => user.ramp('wallet-offramp-wallet')));
  expect(all.map(([status]) => status)).toEqual(all.map(() => 200));
  await expectEven(h);
});

test('a repeated request is one operation, also with a card', async () => {
  const user = await someone();
  for (const name of ['wallet-mint-user', 'bank-mint-user'] as const) {
    const first = await user.ramp(name, {}, `once ${name}`);
    expect(first[0]).toBe(200);
    expect(await user.ramp(name, {}, `once ${name}`)).toEqual(first);
  }
  expect(await user.balance('USD')).toEqual([0n, 0n]);
  await expectEven(h);
});

describe('the history', () => {
  test('has a record of each step, newest first, in pages', async () => {
    const user = await someone();
    const [, told] = await user.ramp('wallet-offramp-wallet');
    const read = (query = {}) =>
      h.send('GET /cardano/history/{user_id}', {
        as: user.as,
        params: { user_id: user.as.user_id },
        query,
      });
    const { status, body } = await read();
    const { treasury } = await h.app.cardano.identity();
    const shared = {
      user_id: user.as.user_id,
      amount: MINTED,
      status: DONE,
      partner_fee: '0',
      currency_from: 'USD',
      currency_to: 'SGD',
      bank_name: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      reference_id: expect.stringMatching(/^CARDANO-/),
      details: expect.objectContaining({ rates_source: 'coinbase' }),
      id: expect.any(Number),
    };
    const chain = { source: 'CARDANO', provider: 'CARDANO', fiat_amount: null, fx_rate: null };
    const wallet = { source: 'WALLET', provider: 'PLATFORM', tx_hash: null };
    const nowhere = { from_address: null, to_address: null };
    expect([status, body]).toEqual([
      200,
      [
        {
          ...shared,
          ...wallet,
          ...nowhere,
          tx_type: 'TOPUP',
          tx_flow: 'IN',
          fiat_amount: OUT,
          fx_rate: '1.3425',
          platform_fee: '1.01',
        },
        {
          ...shared,
          ...chain,
          tx_type: 'BURN',
          tx_flow: 'OUT',
          platform_fee: '0',
          tx_hash: told.burnTx.txHash,
          from_address: treasury,
          to_address: null,
        },
        {
          ...shared,
          ...chain,
          tx_type: 'MINT',
          tx_flow: 'IN',
          platform_fee: '0',
          tx_hash: told.mintTx.txHash,
          from_address: null,
          to_address: treasury,
        },
        {
          ...shared,
          ...wallet,
          ...nowhere,
          tx_type: 'WITHDRAW',
          tx_flow: 'OUT',
          fiat_amount: '100.00',
          fx_rate: '1',
          platform_fee: '0.50',
        },
      ],
    ]);
    const page = await read({ limit: 3 });
    expect(page.body).toEqual(body.slice(0, 3));
    expect(page.headers.get('link')).toContain(`before=${body[2].id}`);
    expect((await read({ limit: 3, before: body[2].id })).body).toEqual(body.slice(3));
  });

  test('shows a user their own, and an admin those of their client', async () => {
    const user = await someone();
    await user.ramp('wallet-mint-user');
    const read = (as: { token: string }, path: 'history' | 'volume') =>
      h.call(`GET /cardano/${path}/{user_id}`, { as, params: { user_id: user.as.user_id } });
    const admin = await h.user({ role: 'admin', client_id: user.as.client_id });
    const foreign = await h.user({ role: 'admin' });
    for (const path of ['history', 'volume'] as const) {
      expect((await read(admin, path))[0]).toBe(200);
      for (const as of [foreign, await h.user()])
        expect(await read(as, path)).toMatchObject([404, { code: 'USER_NOT_FOUND' }]);
    }
  });
});

test('the volume lists thirty days, also those without any', async () => {
  const user = await someone('300');
  const read = async () => {
    const params = { user_id: user.as.user_id };
    const [, days] = await h.call('GET /cardano/volume/{user_id}', { as: user.as, params });
    return days as { date: string; value: string }[];
  };
  await user.ramp('wallet-mint-user');
  await h.advance(2 * 86_400);
  await user.ramp('wallet-mint-user');
  await user.ramp('wallet-mint-user');
  const days = await read();
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual({
    date: h.clock.now().toISOString().slice(0, 10),
    value: '199.000000',
  });
  expect(days.map(({ value }) => value).filter((value) => value !== '0.000000')).toEqual([
    '99.500000',
    '199.000000',
  ]);
  expect(days.at(-3)?.value).toBe('99.500000');
  await h.advance(30 * 86_400);
  expect(new Set((await read()).map(({ value }) => value))).toEqual(new Set(['0.000000']));
});

test('no card number is stored', async () => {
  const user = await someone('0');
  expect((await user.ramp('bank-mint-user'))[0]).toBe(200);
  expect(h.logs.join('\n')).not.toContain(GOOD);
});
