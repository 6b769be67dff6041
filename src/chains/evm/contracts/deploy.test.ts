import { parseEther, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnvilProcess, endProcess, startAnvil } from '#sandbox/chains/evm/anvil.ts';
import { type TestNetwork, testNetwork } from '#test/evm.ts';
import type { ManagedChain } from '../network.ts';
import { readToken } from '../reads.ts';
import { predictContracts } from './deploy.ts';

const FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

describe('deploying on a chain that others run', () => {
  let node: AnvilProcess;
  let test: TestNetwork;

  beforeAll(async () => {
    node = await startAnvil({ chainId: 245_022_926 });
    test = await testNetwork({ rpcUrls: { neon: node.url } });
    await ask('anvil_setBalance', test.network.keys.deployer.address, toHex(parseEther('10')));
  });
  afterAll(async () => {
    await test.close();
    await endProcess(node.identity);
  });

  async function ask(method: string, ...params: unknown[]): Promise<void> {
    const client = await test.network.chains.neon.client();
    await client.request({ method, params } as unknown as { method: 'eth_chainId' });
  }

  async function expectDeployed(chain: ManagedChain, addresses: object): Promise<void> {
    const client = await chain.client();
    for (const address of Object.values(addresses))
      expect(await client.getCode({ address })).toBeDefined();
  }

  it('nothing is deployed until it is asked for', async () => {
    const { neon } = test.network.chains;
    expect(await readToken(neon, neon.contracts.usdc)).toBeUndefined();
  });

  it('without the factory the contracts are deployed plainly, and once', async () => {
    const { neon } = test.network.chains;
    const client = await neon.client();
    const factory = await client.getCode({ address: FACTORY });
    await ask('anvil_setCode', FACTORY, '0x');
    const contracts = await neon.deploy();
    expect(contracts.usdc).not.toBe(predictContracts(test.network.keys).usdc);
    await expectDeployed(neon, contracts);
    const { deployer } = test.network.keys;
    const count = await client.getTransactionCount(deployer);
    expect(await neon.deploy()).toEqual(contracts);
    expect(await client.getTransactionCount(deployer)).toBe(count);
    await ask('anvil_setCode', FACTORY, factory);
  });

  it('with the factory they are where every chain has them', async () => {
    const { neon } = test.network.chains;
    const contracts = await neon.deploy();
    expect(contracts).toEqual(predictContracts(test.network.keys));
    await expectDeployed(neon, contracts);
  });

  it('a configured address without a contract is refused', async () => {
    const usdc = test.network.keys.treasury.address;
    const wrong = test.reopen({ contracts: { neon: { usdc } } });
    await expect(wrong.chains.neon.deploy()).rejects.toMatchObject({ kind: 'refused' });
  });

  it('where our own nodes are not allowed, a chain without a URL says so', async () => {
    const { chains } = test.reopen({ nodes: undefined });
    await expect(chains.amoy.client()).rejects.toThrow('amoy has no RPC URL configured');
  });
});
