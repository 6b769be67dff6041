// Long: it starts a chain node.

import { Contract, JsonRpcProvider, parseEther, Wallet } from 'ethers';
import { expect, test } from 'vitest';
import { createFaucet } from '#sandbox/chains/evm/faucet.ts';
import { atEnd } from '#test/at-end.ts';
import { testNetwork } from '#test/evm.ts';

const { network, close } = await testNetwork();
atEnd(close);
const chain = network.chains.neon;
const faucet = createFaucet(network.keys);

test('ethers reads a balance, sends coins and calls the token', async () => {
  const { address, privateKey } = Wallet.createRandom();
  await faucet.give(chain, {
    to: address as `0x${string}`,
    asset: 'native',
    units: parseEther('2'),
  });
  await faucet.give(chain, { to: address as `0x${string}`, asset: 'USDC', units: 7n });
  const provider = new JsonRpcProvider(await chain.url());
  atEnd(async () => provider.destroy());
  expect(await provider.getBalance(address)).toBe(parseEther('2'));
  const { address: to } = Wallet.createRandom();
  const wallet = new Wallet(privateKey, provider);
  const receipt = await (await wallet.sendTransaction({ to, value: parseEther('1') })).wait();
  expect(receipt?.status).toBe(1);
  const abi = ['function balanceOf(address) view returns (uint256)'];
  const usdc = new Contract(chain.contracts.usdc, abi, provider);
  expect(await usdc.getFunction('balanceOf')(address)).toBe(7n);
});
