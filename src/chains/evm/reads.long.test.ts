// Long: chains fall silent, and are asked while they make blocks.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Address, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestNetwork, testNetwork } from '#test/evm.ts';
import { CHAIN_KEYS, CHAINS } from './chains.ts';
import type { ChainClient } from './client.ts';
import {
  approveCall,
  bridgeBurnCall,
  type ContractCall,
  mintTokenCall,
  payOrderCall,
  redeemCall,
  transferCall,
} from './contracts/calls.ts';
import { proveBridgeBurn, proveOrderPayment, proveTokenBurn } from './contracts/proofs.ts';
import { chainFault } from './fault.ts';
import type { ManagedChain } from './network.ts';
import { acrossChains, addressOf, readBalances, readSupply, readToken } from './reads.ts';

interface Asked {
  readonly id: number;
  readonly method: string;
}

describe('reading chains', () => {
  let test: TestNetwork;
  let chain: ManagedChain;
  let client: ChainClient;
  let count = 0;

  beforeAll(async () => {
    test = await testNetwork();
    chain = test.network.chains.amoy;
    client = await chain.client();
    for (const { sender, contracts, info } of Object.values(test.network.chains))
      await sender.execute({
        signer: hot(),
        ...mintTokenCall(contracts.usdc, hot().address, BigInt(info.chainId)),
        reference: `mint:${info.key}`,
        purpose: 'test',
      });
    await asHot(mintTokenCall(chain.contracts.idr_token, hot().address, 1_000n));
  });
  afterAll(() => test.close());

  const hot = () => test.network.keys.hot;
  const asHot = (call: ContractCall) =>
    chain.sender.execute({ signer: hot(), ...call, reference: `r:${count++}`, purpose: 'test' });

  it('the contracts have the same addresses on every chain', async () => {
    const deployed = await Promise.all(CHAIN_KEYS.map((key) => test.network.chains[key].deploy()));
    for (const contracts of deployed) expect(contracts).toEqual(chain.contracts);
  });

  it('a token is read from its contract', async () => {
    const { usdc, idr_token } = chain.contracts;
    expect(await readToken(chain, usdc)).toEqual({
      address: usdc,
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
    });
    expect(await readToken(chain, idr_token)).toMatchObject({ symbol: 'IDRT', decimals: 2 });
  });

  it.each<[string, () => Address]>([
    ['an address without code', () => privateKeyToAccount(generatePrivateKey()).address],
    ['the zero address', () => zeroAddress],
    ['a contract that is no token', () => chain.contracts.bridge],
  ])('%s is no token', async (_, address) => {
    expect(await readToken(chain, address())).toBeUndefined();
  });

  it('balances come in one request, and what is no token has none', async () => {
    const { usdc, idr_token, bridge } = chain.contracts;
    const { native, tokens } = await readBalances(chain, hot().address, [usdc, bridge, idr_token]);
    expect(native).toBeGreaterThan(0n);
    expect(tokens).toEqual([80_002n, undefined, 1_000n]);
  });

  it('a chain that is down or silent costs its own part of the answer only', async () => {
    const silent = createServer(() => undefined);
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const mixed = test.reopen({
      rpcUrls: {
        sepolia: 'http://127.0.0.1:9',
        amoy: await chain.url(),
        neon: `http://127.0.0.1:${port}`,
      },
    });
    await mixed.chains.amoy.client();
    const answers = await acrossChains(
      mixed.chains,
      (each) => readBalances(each, hot().address, [each.contracts.usdc]),
      5000,
    );
    silent.closeAllConnections();
    silent.close();
    expect(answers.amoy).toMatchObject({ value: { tokens: [80_002n] } });
    expect(answers.sepolia).toMatchObject({ fault: { kind: 'unreachable' } });
    expect(answers.neon).toMatchObject({ fault: { kind: 'unreachable' } });
  });

  it('a node that does not answer is no empty balance and no missing token', async () => {
    const told: Record<string, object> = {
      eth_chainId: { result: '0x13882' },
      eth_getBalance: { result: '0x1' },
      eth_getCode: { result: '0x60' },
      eth_call: { error: { code: -32_000, message: 'header not found' } },
    };
    const half = createServer(async (request, response) => {
      const asked = (await json(request)) as Asked | Asked[];
      const answer = ({ id, method }: Asked) => ({ jsonrpc: '2.0', id, ...told[method] });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)));
    });
    await once(half.listen(0, '127.0.0.1'), 'listening');
    const { port } = half.address() as AddressInfo;
    const { usdc } = chain.contracts;
    const mixed = test.reopen({ rpcUrls: { amoy: `http://127.0.0.1:${port}` } });
    const other = mixed.chains.amoy;
    const unknown = { kind: 'unreachable' };
    await expect(readBalances(other, hot().address, [usdc])).rejects.toMatchObject(unknown);
    await expect(readToken(other, usdc)).rejects.toMatchObject(unknown);
    half.closeAllConnections();
    half.close();
  });

  it('what is asked while blocks are made is answered', async () => {
    let isOver = false;
    const mine = async () => {
      for (let i = 0; i < 200; i += 1) await client.request({ method: 'evm_mine' } as never);
    };
    const mining = mine().finally(() => {
      isOver = true;
    });
    const read = () => readBalances(chain, hot().address, [chain.contracts.usdc]);
    while (!isOver)
      for (const { tokens } of await Promise.all(Array.from({ length: 20 }, read)))
        expect(tokens).toEqual([80_002n]);
    await mining;
  });

  it('addresses are taken in any case and written in theirs', () => {
    const { address } = hot();
    expect(addressOf(address.toLowerCase())).toBe(address);
    expect(addressOf(`0x${address.slice(2).toUpperCase()}`)).toBe(address);
    for (const text of ['', '0x', address.slice(2), `${address}0`, address.replace(/.$/, 'g')])
      expect(addressOf(text)).toBeUndefined();
  });

  it('a bridge burn is proven by all of its parts and by its depth', async () => {
    const { contracts } = chain;
    const recipient = test.network.keys.treasury.address;
    const transfer = { nonce: 'log-1', units: 25n, recipient };
    const toChainId = CHAINS.neon.chainId;
    const before = await readSupply(chain, contracts.usdc);
    const { hash } = await asHot(bridgeBurnCall(contracts, transfer, toChainId));
    expect(await readSupply(chain, contracts.usdc)).toBe(before - 25n);
    const expected = { ...transfer, toChainId, confirmations: 1 };
    expect(await proveBridgeBurn(chain, hash, expected)).toMatchObject({
      proven: { from: hot().address },
    });
    for (const wrong of [
      { nonce: 'log-2' },
      { units: 26n },
      { toChainId: CHAINS.sepolia.chainId },
      { recipient: hot().address },
    ]) {
      const proof = await proveBridgeBurn(chain, hash, { ...expected, ...wrong });
      expect(proof).toEqual({ disproof: 'other' });
    }
    const elsewhere = { ...chain, contracts: { ...contracts, bridge: contracts.usdc } };
    expect(await proveBridgeBurn(elsewhere, hash, expected)).toEqual({ disproof: 'other' });
    const deep = { ...expected, confirmations: 1_000 };
    expect(await proveBridgeBurn(chain, hash, deep)).toEqual({
      disproof: 'unconfirmed',
    });
    const unknown = `0x${'12'.repeat(32)}` as const;
    expect(await proveBridgeBurn(chain, unknown, expected)).toEqual({
      disproof: 'unknown',
    });
  });

  it('a redemption is proven by holder and amount, and a transfer is none', async () => {
    const { idr_token } = chain.contracts;
    const expected = { from: hot().address, units: 40n, confirmations: 1 };
    const burn = await asHot(redeemCall(idr_token, 40n));
    const other = await asHot(transferCall(idr_token, test.network.keys.treasury.address, 40n));
    expect(await proveTokenBurn(chain, idr_token, burn.hash, expected)).toHaveProperty('proven');
    for (const [hash, wrong] of [
      [burn.hash, { units: 41n }],
      [burn.hash, { from: test.network.keys.treasury.address }],
      [other.hash, {}],
    ] as const)
      expect(await proveTokenBurn(chain, idr_token, hash, { ...expected, ...wrong })).toEqual({
        disproof: 'other',
      });
  });

  it('an order payment is proven by order, token and amount', async () => {
    const { contracts } = chain;
    const payment = { orderId: 'MKT-9', token: contracts.usdc, units: 10n };
    await asHot(approveCall(contracts.usdc, contracts.marketplace, 10n));
    const { hash } = await asHot(payOrderCall(contracts, payment));
    const expected = { ...payment, confirmations: 1 };
    expect(await proveOrderPayment(chain, hash, expected)).toMatchObject({
      proven: { from: hot().address },
    });
    expect(await proveOrderPayment(chain, hash, { ...expected, orderId: 'MKT-8' })).toEqual({
      disproof: 'other',
    });
  });

  it('a fault tells neither the URL nor what was signed', async () => {
    const url = 'http://127.0.0.1:9/secret-key';
    const dead = test.reopen({ rpcUrls: { sepolia: url } });
    const error = await dead.chains.sepolia.client().catch(chainFault);
    expect(error).toMatchObject({ kind: 'unreachable' });
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('secret-key');
  });
});
