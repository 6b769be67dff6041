import type { Address } from 'viem';
import { expect, test } from 'vitest';
import { type Body, harness, type Person } from '#test/harness.ts';
import { purchases } from '#test/purchases.ts';
import { fund, walletOn } from '#test/wallets.ts';
import { moveCall, releaseHold, reserve } from './wallet-spending.ts';

/** What the answers say of a managed wallet's balance is what its owner can spend. */
const h = await harness();
const { amoy, neon } = h.app.evm.chains;
const { usdc } = amoy.contracts;
const TREASURY = h.app.evm.keys.treasury.address;
const SHOP = '0x00000000000000000000000000000000000ddd02';

async function owner(tokens: string, native = '2') {
  const as = await h.user();
  const [made] = await walletOn(h, as, 'amoy');
  const { wallet_address, bw_id } = made ?? { wallet_address: '', bw_id: 0 };
  await fund(h, 'amoy', wallet_address, 'native', native);
  await fund(h, 'amoy', wallet_address, 'USDC', tokens);
  const shown = async (): Promise<Body> => {
    const params = { wallet_id: bw_id };
    const [, { data }] = await h.call('GET /wallets/{wallet_id}/balance', { as, params });
    return data.chains.amoy;
  };
  const send = (amount: string, token_symbol: 'POL' | 'USDC' = 'USDC') =>
    h.call('POST /onchain/execute', {
      as,
      body: {
        wallet_address,
        chain_id: 'amoy',
        token_symbol,
        to_address: SHOP,
        amount,
        token_contract: token_symbol === 'USDC' ? usdc : 'native',
      },
    });
  const address = wallet_address as Address;
  const take = (reference: string, units: bigint, token: string = usdc) => {
    const call = moveCall(token, TREASURY, units);
    const spend = { reference, token_contract: token, units, call };
    return reserve({ db: h.db, chain: amoy, address }, [spend], async () => 'written');
  };
  return { as, address, bw_id, shown, send, take };
}

const dollars = (units: bigint) =>
  `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, '0')}`;
const units = (text: string) => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
};

test('what is set aside is held, and what is available goes with its fee to the last unit', async () => {
  const { shown, send, take } = await owner('10');
  expect(await take('shown:1', 4_000_000n)).toMatchObject({ held: 'written' });
  const before = await shown();
  expect(before.tokens[0]).toMatchObject({ balance: '10', held: '4', available: '6' });
  // The gas is set aside in the coin.
  expect(before).toMatchObject({ native_balance: '2' });
  expect(Number(before.held)).toBeGreaterThan(0);
  expect(Number(before.available)).toBeLessThan(2);
  const [status, { error }] = await send('6');
  expect([status, error]).toMatchObject([
    400,
    { code: 'INSUFFICIENT_FUNDS', details: { available: '6' } },
  ]);
  const fee = units(error.details.required) - 6_000_000n;
  expect((await send(dollars(6_000_001n - fee)))[0]).toBe(400);
  expect((await send(dollars(6_000_000n - fee)))[0]).toBe(201);
  expect((await shown()).tokens[0]).toMatchObject({ available: '0' });
});

test('a payment without a fee takes exactly what is available', async () => {
  const { shown, take } = await owner('10');
  await take('shown:2', 4_000_000n);
  const available = units((await shown()).tokens[0].available);
  expect(await take('shown:3', available + 1n)).toMatchObject({ short: { available } });
  expect(await take('shown:3', available)).toMatchObject({ held: 'written' });
  expect((await shown()).tokens[0]).toMatchObject({ balance: '10', held: '10', available: '0' });
  await releaseHold(h.db, ['shown:2', 'shown:3']);
  expect((await shown()).tokens[0]).toMatchObject({ held: '0', available: '10' });
});

test('of the coin, gas included, what is available is the most that can be set aside', async () => {
  const { shown, take } = await owner('10');
  await take('shown:4', 4_000_000n);
  const { available } = await shown();
  const [whole = '0', fraction = ''] = String(available).split('.');
  const wei = BigInt(whole + fraction.padEnd(18, '0'));
  const more = await take('shown:5', wei, 'native');
  expect(more).toMatchObject({ short: { token_contract: 'native', available: wei } });
});

test('the balance of an address says what is held to those who reach its wallet, and to no one else', async () => {
  const { as, address, take } = await owner('10');
  await take('shown:6', 4_000_000n);
  const read = async (by: Person) => {
    const params = { chain: 'amoy', address };
    return (await h.call('GET /crosschain/balance/{chain}/{address}', { as: by, params }))[1];
  };
  expect(await read(as)).toMatchObject({ balance: '10', held: '4', available: '6' });
  const { client_id } = await h.client();
  const stranger = await h.user({ client_id });
  expect(await read(stranger)).toMatchObject({ balance: '10', held: '0', available: '10' });
});

test('an order is made for what is available, and is refused for a unit more', async () => {
  const p = purchases(h);
  const who = await p.buyer({ usdc: '20' });
  const token_contract = neon.contracts.usdc;
  const call = moveCall(token_contract, TREASURY, 5_000_000n);
  const spend = { reference: 'shown:7', token_contract, units: 5_000_000n, call };
  const place = { db: h.db, chain: neon, address: who.wallet_address as Address };
  expect(await reserve(place, [spend], async () => 'written')).toMatchObject({ held: 'written' });
  expect(await p.create(who, {}, '$15.01')).toMatchObject([
    400,
    {
      code: 'INSUFFICIENT_BALANCE',
      details: { required: '15.010000', available: '15.000000' },
    },
  ]);
  const [, order] = await p.create(who, {}, '$15.00');
  expect(order).toMatchObject({
    wallet: { balance_usdc: '20.000000', held: '5.000000', available: '15.000000' },
    transaction: { sufficient_balance: true },
  });
  expect((await p.execute(who, order.order_id))[0]).toBe(200);
});
