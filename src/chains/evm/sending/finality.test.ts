import { zeroAddress } from 'viem';
import { afterAll, expect, it } from 'vitest';
import { testNetwork } from '#test/evm.ts';
import { hasFailed, isConfirmed } from './finality.ts';

const test = await testNetwork({ confirmations: 3, settings: { finalDepth: 12 } });
afterAll(() => test.close());
const chain = test.network.chains.sepolia;

async function call(method: string, ...params: unknown[]): Promise<unknown> {
  return (await chain.client()).request({ method, params } as never);
}
let count = 0;
const sent = () =>
  chain.sender.execute({
    signer: test.network.keys.faucet,
    to: zeroAddress,
    value: 1n,
    reference: `d:${count++}`,
    purpose: 'test',
  });

it('a transaction is confirmed with its confirmations, its own block the first', async () => {
  const row = await sent();
  expect(await isConfirmed(chain, row)).toBe(false);
  await call('anvil_mine', 1);
  expect(await isConfirmed(chain, row)).toBe(false);
  await call('anvil_mine', 1);
  expect(await isConfirmed(chain, row)).toBe(true);
  expect(await isConfirmed(chain, { ...row, status: 'PENDING' as never })).toBe(false);
});

it('one that was undone has failed only when that is final', async () => {
  const row = await sent();
  for (const status of ['REVERTED', 'LOST'] as const) {
    expect(hasFailed({ ...row, status, is_final: false })).toBe(false);
    expect(hasFailed({ ...row, status, is_final: true })).toBe(true);
  }
  for (const status of ['PENDING', 'CONFIRMED'] as const)
    expect(hasFailed({ ...row, status, is_final: true })).toBe(false);
});

it('one whose block was dropped is not, even before the journal knows', async () => {
  await sent();
  const before = await call('evm_snapshot');
  const row = await sent();
  await call('evm_revert', before);
  await call('anvil_mine', 5);
  expect(await isConfirmed(chain, row)).toBe(false);
});
