import type { Address } from 'viem';
import { expect, test } from 'vitest';
import { readBalances } from '#chains/evm/port.ts';
import { freshAddress } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { until } from '#test/until.ts';
import { fund, walletOn } from '#test/wallets.ts';

const h = await harness();
const { amoy } = h.app.evm.chains;
const { usdc } = amoy.contracts;
const TIP = 1_000_000_000n;

async function owner(native: string, tokens = '0') {
  const as = await h.user();
  const [made] = await walletOn(h, as, 'amoy');
  const wallet_address = (made?.wallet_address ?? '') as Address;
  await fund(h, 'amoy', wallet_address, 'native', native);
  if (tokens !== '0') await fund(h, 'amoy', wallet_address, 'USDC', tokens);
  const send = (amount: string, token_symbol: 'POL' | 'USDC' = 'POL') =>
    h.call('POST /onchain/execute', {
      as,
      body: {
        wallet_address,
        chain_id: 'amoy',
        token_symbol,
        amount,
        to_address: freshAddress(),
        token_contract: token_symbol === 'POL' ? 'native' : usdc,
      },
    });
  const fees = async () =>
    (
      await h.db
        .selectFrom('onchain_sends')
        .select('fee_status')
        .where('user_id', '=', as.user_id)
        .execute()
    ).map(({ fee_status }) => fee_status);
  const untilPaid = () => until(h, async () => (await fees()).every((status) => status === 'PAID'));
  return { as, wallet_address, send, fees, untilPaid };
}

/** Sets the base fee that the next transactions see. */
async function baseFee(wei: bigint): Promise<void> {
  const client = await amoy.client();
  const call = (method: string, ...params: unknown[]) =>
    client.request({ method, params } as never);
  await call('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`);
  await call('evm_mine');
}

const wei = (decimal: string): bigint => {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
};
const coins = (units: bigint): string => {
  const digits = units.toString().padStart(19, '0');
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`;
};

test('a send that empties the wallet pays its fee, although gas has become twice as dear', async () => {
  await baseFee(TIP);
  const { wallet_address, send, fees, untilPaid } = await owner('5');
  const [, { error }] = await send('4.7499');
  const { required, available } = error.details;
  const most = wei('4.7499') - (wei(required) - wei(available));
  expect((await send(coins(most + 10n ** 15n)))[0]).toBe(400);
  // The base fee falls a little with each empty block, so less is required by now.
  expect((await send(coins(most)))[0]).toBe(201);
  await baseFee((TIP * 34n) / 10n);
  await untilPaid();
  expect(await fees()).toEqual(['PAID']);
  const { native } = await readBalances(amoy, wallet_address, []);
  expect(native).toBeLessThan(10n ** 15n);
});

test('sends at once leave each other what their fees take', async () => {
  const { wallet_address, send, fees, untilPaid } = await owner('2', '10.05');
  const answers = await Promise.all([send('4.95', 'USDC'), send('4.95', 'USDC')]);
  expect(answers.map(([status]) => status).sort()).toEqual([201, 400]);
  const [, { error }] = answers.find(([status]) => status === 400) ?? [0, {}];
  expect(error).toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
    details: { token_symbol: 'USDC', required: '5.05' },
  });
  // The second, until the fee of the first one has been taken, is short of exactly that.
  expect((await send('4.95', 'USDC'))[1].error.details.available).toBe('5');
  await untilPaid();
  expect(await fees()).toEqual(['PAID']);
  await fund(h, 'amoy', wallet_address, 'USDC', '0.05');
  expect((await send('4.95', 'USDC'))[0]).toBe(201);
  await untilPaid();
  expect(await fees()).toEqual(['PAID', 'PAID']);
  const { tokens } = await readBalances(amoy, wallet_address, [usdc]);
  expect(tokens).toEqual([0n]);
});

test('nothing stays set aside once a send and its fee have ended', async () => {
  const { as, send, untilPaid } = await owner('2', '10');
  expect((await send('20', 'USDC'))[0]).toBe(400);
  expect((await send('5', 'USDC'))[0]).toBe(201);
  await untilPaid();
  const open = await h.db
    .selectFrom('wallet_holds as h')
    .innerJoin('wallet_addresses as a', 'a.wallet_address', 'h.wallet_address')
    .innerJoin('crypto_wallets as w', 'w.bw_id', 'a.bw_id')
    .select(['h.reference', 'h.released_at'])
    .where('w.user_id', '=', as.user_id)
    .execute();
  expect(open).toHaveLength(2);
  expect(open.every(({ released_at }) => released_at !== null)).toBe(true);
});
