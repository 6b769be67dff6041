import { describe, expect, test } from 'vitest';
import { readBalances } from '#chains/evm/port.ts';
import { harness, type Person } from '#test/harness.ts';
import { until } from '#test/until.ts';
import { fund, walletOn } from '#test/wallets.ts';

// A day passes here, and log-ins must outlive it.
const h = await harness({ config: { JWT_TTL: '1000000' } });
const { amoy, sepolia } = h.app.evm.chains;
const { usdc } = amoy.contracts;
const treasury = h.app.evm.keys.treasury.address;
const WEI = 10n ** 18n;

let serial = 0xabc0;
/** An address that nobody has used. */
const fresh = () => {
  serial += 1;
  return `0x${serial.toString(16).padStart(40, '0')}` as const;
};
const held = async (address: string, chain = amoy) => {
  const found = await readBalances(chain, address as `0x${string}`, [chain.contracts.usdc]);
  return { coins: found.native, usdc: found.tokens[0] ?? 0n };
};
const execute = (as: Person, body: object, headers: Record<string, string> = {}) =>
  h.call('POST /onchain/execute', { as, body, headers });
const coins = (wallet_address: string, amount: unknown, to_address: string = fresh()) => ({
  wallet_address,
  chain_id: 'amoy',
  token_symbol: 'POL',
  token_contract: 'native',
  to_address,
  amount,
});
const dollars = (wallet_address: string, amount: unknown, to_address: string = fresh()) => ({
  ...coins(wallet_address, amount, to_address),
  token_symbol: 'USDC',
  token_contract: usdc,
});

async function funded({ native = '5', tokens = '0' } = {}) {
  const as = await h.user();
  const [address] = await walletOn(h, as, 'amoy');
  const { wallet_address, bw_id } = address ?? { wallet_address: '', bw_id: 0 };
  if (native !== '0') await fund(h, 'amoy', wallet_address, 'native', native);
  if (tokens !== '0') await fund(h, 'amoy', wallet_address, 'USDC', tokens);
  return { as, wallet_address, bw_id };
}
const sends = (user_id: number) =>
  h.db.selectFrom('onchain_sends').selectAll().where('user_id', '=', user_id).execute();
const untilPaid = (user_id: number) =>
  until(h, async () => (await sends(user_id)).every(({ fee_status }) => fee_status === 'PAID'));

const good = await funded({ native: '2', tokens: '5' });
const OTHER = '0x52908400098527886E0F7030069857D2E4169EE7';

describe('a send', () => {
  test('of coins reaches its recipient, is logged with its fees, and pays the platform', async () => {
    const { as, wallet_address, bw_id } = await funded();
    const to = fresh();
    const before = await held(treasury);
    const [status, { data, ...rest }] = await execute(as, coins(wallet_address, '1', to));
    expect([status, rest.success]).toEqual([201, true]);
    const { transaction, log_id } = data;
    expect(transaction).toEqual({
      tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      block_number: expect.any(Number),
      gas_used: 21_000,
      gas_price: expect.stringMatching(/^0\.0+\d+$/),
      gas_fee: expect.stringMatching(/^0\.0+\d+$/),
      // 0.10 USD at 2.5 POL per dollar is more than 0.5 % of one.
      platform_fee: '0.25',
      status: 'CONFIRMED',
      explorer_url: `https://amoy.polygonscan.com/tx/${transaction.tx_hash}`,
    });
    expect((await held(to)).coins).toBe(WEI);
    await untilPaid(as.user_id);
    expect((await held(treasury)).coins - before.coins).toBe(WEI / 4n);
    const [send] = await sends(as.user_id);
    expect(send).toMatchObject({ status: 'CONFIRMED', fee_status: 'PAID', address_id: null });

    const params = { tx_hash: transaction.tx_hash };
    expect(await h.call('GET /onchain/details/{tx_hash}', { as, params })).toMatchObject([
      200,
      {
        data: {
          transaction: {
            id: log_id,
            bw_id,
            user_id: as.user_id,
            tx_type: 'ONCHAIN_SEND',
            amount: '1',
            status: 'CONFIRMED',
            tx_flow: 'OUT',
            token_symbol: 'POL',
            chain_id: 'amoy',
            token_contract: 'native',
            platform_fee: '0.25',
            wallet_name: 'Test wallet',
            gas_fee: transaction.gas_fee,
            explorer_url: transaction.explorer_url,
          },
          requested_by: as.user_id,
          access_level: 'owner',
        },
      },
    ]);
  });

  test('of USDC moves exactly the amount, and the share where it is more than the minimum', async () => {
    const { as, wallet_address } = await funded({ native: '1', tokens: '100' });
    const to = fresh();
    const [status, { data }] = await execute(as, {
      ...dollars(wallet_address, 40, to),
      decimals: 6,
    });
    expect([status, data.transaction.platform_fee]).toEqual([201, '0.2']);
    expect((await held(to)).usdc).toBe(40_000_000n);
    await untilPaid(as.user_id);
    expect((await held(wallet_address)).usdc).toBe(59_800_000n);
  });

  test('offers the node’s gas price times the client’s multiplier, and takes its fee', async () => {
    const { as, wallet_address } = await funded();
    const admin = await h.user({ role: 'admin', client_id: as.client_id });
    const terms = {
      platform_fee_percentage: 10,
      minimum_platform_fee_usd: '0.000001',
      gas_price_multiplier: 2,
    };
    await h.call('PUT /onchain/admin/fee-settings', { as: admin, body: terms });
    const [, { data }] = await execute(as, coins(wallet_address, '0.5'));
    expect(data.transaction.platform_fee).toBe('0.05');
    const client = await amoy.client();
    const block = await client.getBlock({
      blockNumber: BigInt(data.transaction.block_number) - 1n,
    });
    const paid = Number(data.transaction.gas_price) / 1e-9;
    // Base fee and a tip of 1 gwei, doubled; the base fee may fall by an eighth meanwhile.
    expect(paid).toBeGreaterThanOrEqual(2);
    expect(paid).toBeLessThanOrEqual((Number(block.baseFeePerGas ?? 0n) / 1e9 + 1) * 2.3);
  });

  test('twenty at once from one wallet are all on chain once, without a gap', async () => {
    const { as, wallet_address } = await funded({ native: '20' });
    const recipients = Array.from({ length: 20 }, fresh);
    const answers = await Promise.all(
      recipients.map((to) => execute(as, coins(wallet_address, '0.1', to))),
    );
    expect(answers.map(([status]) => status)).toEqual(Array(20).fill(201));
    for (const to of recipients) expect((await held(to)).coins).toBe(WEI / 10n);
    const client = await amoy.client();
    const signed = () => client.getTransactionCount({ address: wallet_address as `0x${string}` });
    // Each with its fee, which a busy machine may have to ask for again.
    for (let tries = 0; tries < 5 && (await signed()) < 40; tries += 1) {
      await h.drain();
      await h.advance(60);
    }
    expect(await signed()).toBe(40);
    const [, { data }] = await h.call('GET /onchain/history/{user_id}', {
      as,
      params: { user_id: as.user_id },
    });
    expect(data.pagination.total).toBe(20);
  });

  test('repeated under its key is the same one', async () => {
    const { as, wallet_address } = await funded();
    const body = coins(wallet_address, '0.5');
    const headers = { 'idempotency-key': `send-${wallet_address}` };
    const first = await execute(as, body, headers);
    expect(await execute(as, body, headers)).toEqual(first);
    expect((await held(body.to_address)).coins).toBe(WEI / 2n);
  });
});

describe('without the funds', () => {
  test('for amount and fee nothing is sent, and it is said what is required', async () => {
    const { as, wallet_address } = await funded({ native: '1', tokens: '10' });
    const [status, { error }] = await execute(as, dollars(wallet_address, '10'));
    expect([status, error.code]).toEqual([400, 'INSUFFICIENT_FUNDS']);
    expect(error.details).toEqual({ token_symbol: 'USDC', required: '10.1', available: '10' });
    expect(await sends(as.user_id)).toEqual([]);
  });

  test('for gas nothing is sent either', async () => {
    const { as, wallet_address } = await funded({ native: '0', tokens: '10' });
    const [status, { error }] = await execute(as, dollars(wallet_address, '1'));
    expect([status, error.code]).toEqual([400, 'INSUFFICIENT_FUNDS']);
    expect(error.details).toMatchObject({ token_symbol: 'POL', available: '0' });
    expect(Number(error.details.required)).toBeGreaterThan(0);
    const rich = await funded({ native: '1' });
    const [, whole] = await execute(rich.as, coins(rich.wallet_address, '0.74999999'));
    expect(whole.error).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      details: { token_symbol: 'POL', available: '1' },
    });
    expect(await sends(rich.as.user_id)).toEqual([]);
  });

  test('for all of several at once, those that come too late are told what is left', async () => {
    const { as, wallet_address } = await funded({ native: '1', tokens: '10' });
    for (const [symbol, body] of [
      ['USDC', dollars(wallet_address, '4')],
      ['POL', coins(wallet_address, '0.3')],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => execute(as, body)));
      expect(answers).toContainEqual([201, expect.anything()]);
      for (const [status, { error }] of answers.filter(([status]) => status !== 201)) {
        expect([status, error.code]).toEqual([400, 'INSUFFICIENT_FUNDS']);
        const { token_symbol, required, available } = error.details;
        expect(token_symbol).toBe(symbol);
        expect(Number(available)).toBeLessThan(Number(required));
      }
      await h.drain();
    }
  });

  test('a fee that can no longer be paid is asked for again for a day, then given up', async () => {
    const { as, wallet_address, bw_id } = await funded({ native: '1', tokens: '20' });
    expect((await execute(as, dollars(wallet_address, '5')))[0]).toBe(201);
    await h.sandbox('POST', '/chains/amoy/burn', {
      asset: 'USDC',
      from: wallet_address,
      amount: '14.95',
    });
    await h.drain();
    expect(await sends(as.user_id)).toMatchObject([{ status: 'CONFIRMED', fee_status: 'DUE' }]);
    const remove = () =>
      h.call('POST /manual/wallets/crypto/{bw_id}/delete', {
        as,
        params: { bw_id },
        body: { confirmation: 'delete', user_id: as.user_id },
      });
    expect(await remove()).toMatchObject([409, { error: { code: 'CONFLICT' } }]);
    await h.advance(25 * 3600);
    await h.drain();
    expect(await sends(as.user_id)).toMatchObject([{ fee_status: 'UNPAID', address_id: null }]);
    expect((await remove())[0]).toBe(200);
  });
});

describe('what is refused', () => {
  test.each([
    ['token_contract', { token_symbol: 'ETH' }],
    ['token_symbol', { token_symbol: 'DOGE' }],
    ['token_contract', { token_contract: usdc }],
    ['token_contract', { token_symbol: 'USDC', token_contract: 'native' }],
    ['token_contract', { token_symbol: 'USDC', token_contract: OTHER }],
    ['token_contract', { token_contract: '0x12' }],
    ['to_address', { to_address: '0x12' }],
    ['to_address', { to_address: `0x${'0'.repeat(40)}` }],
    ['to_address', { token_symbol: 'USDC', token_contract: usdc, to_address: usdc }],
    ['decimals', { decimals: 6 }],
    ['chain_id', { chain_id: 'mainnet' }],
    ['amount', { amount: '0' }],
    ['amount', { amount: '-1' }],
    ['amount', { amount: '1e3' }],
    ['amount', { amount: '0.0000000000000000001' }],
    ['amount', { amount: null }],
  ])('a wrong %s: %j', async (field, some) => {
    const body = { ...coins(good.wallet_address, '0.1'), ...some };
    const [status, { error }] = await execute(good.as, body);
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(JSON.stringify(error)).toContain(field);
    expect(await sends(good.as.user_id)).toEqual([]);
  });

  test('more decimals than USDC has', async () => {
    const [status, { error }] = await execute(good.as, dollars(good.wallet_address, '0.0000001'));
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('a wallet of somebody else, on another chain, or of nobody', async () => {
    const admin = await h.user({ role: 'admin', client_id: good.as.client_id });
    const denied = [404, { success: false, error: { code: 'WALLET_NOT_FOUND' } }];
    for (const as of [admin, await h.user()])
      expect(await execute(as, coins(good.wallet_address, '0.1'))).toMatchObject(denied);
    expect(await execute(good.as, coins(OTHER, '0.1'))).toMatchObject(denied);
    expect(
      await execute(good.as, {
        ...coins(good.wallet_address, '0.1'),
        chain_id: 'sepolia',
        token_symbol: 'ETH',
      }),
    ).toMatchObject(denied);
    expect(sepolia.isRunning()).toBe(false);
  });
});
