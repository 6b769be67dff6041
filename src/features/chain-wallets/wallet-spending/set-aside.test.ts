import type { Address } from 'viem';
import { expect, test } from 'vitest';
import { transferCall } from '#chains/evm/contracts/port.ts';
import { ChainError, type EvmChain } from '#chains/evm/port.ts';
import { harness } from '#test/harness.ts';
import { fund, heldOf, walletOn } from '#test/wallets.ts';
import { moveCall, reserve, type Spend } from './wallet-spending.ts';

const h = await harness();
const { amoy } = h.app.evm.chains;
const { usdc } = amoy.contracts;
const TO = h.app.evm.keys.treasury.address;

let serial = 0;
const of = (token_contract: string, units: bigint, some: Partial<Spend> = {}): Spend => {
  serial += 1;
  const call = moveCall(token_contract, TO, units);
  return { reference: `spend:${serial}`, token_contract, units, call, ...some };
};

async function wallet(native: string, tokens: string) {
  const as = await h.user();
  const [made] = await walletOn(h, as, 'amoy');
  const address = (made?.wallet_address ?? '') as Address;
  await fund(h, 'amoy', address, 'native', native);
  await fund(h, 'amoy', address, 'USDC', tokens);
  const take = (spends: Spend[], chain: EvmChain = amoy) =>
    reserve({ db: h.db, chain, address }, spends, async () => 'written');
  const held = async () =>
    (
      await h.db
        .selectFrom('wallet_holds')
        .select(['units', 'gas'])
        .where('wallet_address', '=', address)
        .orderBy('reference')
        .execute()
    ).map(({ units, gas }) => ({ units, gas }));
  return { address, take, held };
}

test('what is set aside is what was simulated, with more gas for what follows later', async () => {
  const { take, held } = await wallet('1', '10');
  const answer = await take([
    of(usdc, 1_000_000n, { laterCalls: 1 }),
    of(usdc, 500_000n, { gasTimes: 2n }),
  ]);
  if (typeof answer === 'string' || !('held' in answer)) throw new Error('It is not held');
  const [first, second] = answer.quotes;
  expect(answer.held).toBe('written');
  expect(await held()).toEqual([
    { units: 1_000_000n, gas: (first?.maxGasFee ?? 0n) + 300_000n * (first?.gasPrice ?? 0n) },
    { units: 500_000n, gas: (second?.maxGasFee ?? 0n) * 2n },
  ]);
});

test('what is too much for the wallet is told in the token that is short, and nothing is held', async () => {
  const { address, take } = await wallet('1', '10');
  expect(await take([of(usdc, 9_000_000n), of(usdc, 2_000_000n)])).toEqual({
    short: { token_contract: usdc, required: 11_000_000n, available: 10_000_000n },
  });
  expect(await take([of(usdc, 11_000_000n)])).toEqual({
    short: { token_contract: usdc, required: 11_000_000n, available: 10_000_000n },
  });
  const coins = 10n ** 18n;
  expect(await take([of('native', coins)])).toMatchObject({
    short: { token_contract: 'native', available: coins },
  });
  expect(await heldOf(h, address)).toEqual([]);
});

test('what the chain would undo for another reason is its fault, and nothing is held', async () => {
  const { address, take } = await wallet('1', '10');
  // Tokens are not sent to nobody.
  const call = transferCall(usdc, '0x0000000000000000000000000000000000000000', 1n);
  expect(await take([of(usdc, 1n, { call })])).toMatchObject({ fault: { kind: 'reverted' } });
  expect(await heldOf(h, address)).toEqual([]);
});

test('a chain that gives no answer is no shortage', async () => {
  const { address, take } = await wallet('1', '10');
  const quote = () => Promise.reject(new ChainError('unreachable', 'gone'));
  const away = { ...amoy, sender: { ...amoy.sender, quote } };
  await expect(take([of(usdc, 11_000_000n)], away)).rejects.toMatchObject({ kind: 'unreachable' });
  expect(await heldOf(h, address)).toEqual([]);
});
