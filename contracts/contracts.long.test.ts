// Long: the contracts are compiled.

import { readFileSync } from 'node:fs';
import { type Address, encodeFunctionData, erc20Abi } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  orderKey,
  payOrderCall,
  recordPurchaseCall,
  redeemCall,
  takeBackCall,
} from '#chains/evm/contracts/calls.ts';
import { burnMintBridge, marketplacePayments } from '#chains/evm/contracts/contracts.generated.ts';
import {
  approveCall,
  bridgeBurnCall,
  bridgeMintCall,
  type ContractCall,
  mintTokenCall,
  transferCall,
} from '#chains/evm/contracts/port.ts';
import { type EvmChain, keySigner, type Signer } from '#chains/evm/port.ts';
import { type TestNetwork, testNetwork } from '#test/evm.ts';
import {
  compileContracts,
  compileForSandbox,
  compileForTests,
  GENERATED,
  GENERATED_FOR_SANDBOX,
  GENERATED_FOR_TESTS,
} from './compile.ts';

it('the checked-in artifacts are what the sources compile to', () => {
  expect(readFileSync(GENERATED, 'utf8') === compileContracts()).toBe(true);
  expect(readFileSync(GENERATED_FOR_TESTS, 'utf8') === compileForTests()).toBe(true);
  expect(readFileSync(GENERATED_FOR_SANDBOX, 'utf8') === compileForSandbox()).toBe(true);
});

describe('the contracts on a node', () => {
  let test: TestNetwork;
  let chain: EvmChain;
  let user: Signer;
  let count = 0;

  const send = (signer: Signer, call: ContractCall) =>
    chain.sender.execute({ signer, ...call, reference: `test:${count++}`, purpose: 'test' });
  const unitsOf = async (token: Address, owner: Address) =>
    (await chain.client()).readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [owner],
    });
  const refusal = (errorName: string) => ({ kind: 'reverted', details: { errorName } });
  const pause = (functionName: 'pause' | 'unpause'): ContractCall => ({
    to: chain.contracts.bridge,
    data: encodeFunctionData({ abi: burnMintBridge.abi, functionName }),
  });

  beforeAll(async () => {
    test = await testNetwork();
    chain = test.network.chains.sepolia;
    user = keySigner(generatePrivateKey());
    const { faucet, hot } = test.network.keys;
    await chain.sender.execute({
      signer: faucet,
      to: user.address,
      value: 10n ** 18n,
      reference: 'gas',
      purpose: 'test',
    });
    await send(hot, mintTokenCall(chain.contracts.usdc, user.address, 1_000_000n));
    await send(hot, mintTokenCall(chain.contracts.idr_token, user.address, 500n));
  });
  afterAll(() => test.close());

  it('only a minter mints, and only a burner burns what others hold', async () => {
    const { usdc, idr_token } = chain.contracts;
    const denied = refusal('AccessControlUnauthorizedAccount');
    await expect(send(user, mintTokenCall(usdc, user.address, 1n))).rejects.toMatchObject(denied);
    await expect(send(user, takeBackCall(usdc, chain.contracts.bridge, 1n))).rejects.toMatchObject(
      denied,
    );
    await expect(
      send(test.network.keys.hot, takeBackCall(usdc, user.address, 1n)),
    ).rejects.toMatchObject(denied);
    await send(test.network.keys.hot, takeBackCall(idr_token, user.address, 100n));
    expect(await unitsOf(idr_token, user.address)).toBe(400n);
  });

  it('holders burn their own rupiah tokens, and no more than they have', async () => {
    const { idr_token } = chain.contracts;
    await send(user, redeemCall(idr_token, 150n));
    expect(await unitsOf(idr_token, user.address)).toBe(250n);
    await expect(send(user, redeemCall(idr_token, 251n))).rejects.toMatchObject(
      refusal('ERC20InsufficientBalance'),
    );
  });

  it('the bridge burns once per sender and nonce, and only towards another chain', async () => {
    const { contracts } = chain;
    const transfer = { nonce: 'n-1', units: 1_000n, recipient: user.address };
    const before = await unitsOf(contracts.usdc, user.address);
    await send(user, bridgeBurnCall(contracts, transfer, 80_002));
    expect(await unitsOf(contracts.usdc, user.address)).toBe(before - 1_000n);
    await expect(send(user, bridgeBurnCall(contracts, transfer, 80_002))).rejects.toMatchObject(
      refusal('NonceUsed'),
    );
    const home = { ...transfer, nonce: 'n-2' };
    await expect(
      send(user, bridgeBurnCall(contracts, home, chain.info.chainId)),
    ).rejects.toMatchObject(refusal('SameChain'));
    await expect(
      send(user, bridgeBurnCall(contracts, { ...home, units: 0n }, 80_002)),
    ).rejects.toMatchObject(refusal('ZeroAmount'));
    await expect(
      send(user, bridgeBurnCall(contracts, { ...home, units: 10n ** 12n }, 80_002)),
    ).rejects.toMatchObject(refusal('ERC20: transfer amount exceeds balance'));
  });

  it('the bridge mints once per nonce, for the relayer only', async () => {
    const { contracts } = chain;
    const { relayer, hot } = test.network.keys;
    const hash = `0x${'ab'.repeat(32)}` as const;
    const mint = bridgeMintCall(
      contracts,
      { nonce: 'n-3', units: 77n, recipient: relayer.address },
      { chainId: 80_002, hash },
    );
    await expect(send(hot, mint)).rejects.toMatchObject(
      refusal('AccessControlUnauthorizedAccount'),
    );
    await send(relayer, mint);
    expect(await unitsOf(contracts.usdc, relayer.address)).toBe(77n);
    await expect(send(relayer, mint)).rejects.toMatchObject(refusal('NonceUsed'));
  });

  it('a paused bridge neither burns nor mints until the admin resumes it', async () => {
    const { deployer } = test.network.keys;
    const burn = bridgeBurnCall(
      chain.contracts,
      { nonce: 'n-4', units: 1n, recipient: user.address },
      80_002,
    );
    await expect(send(user, pause('pause'))).rejects.toMatchObject(
      refusal('AccessControlUnauthorizedAccount'),
    );
    await send(deployer, pause('pause'));
    await expect(send(user, burn)).rejects.toMatchObject(refusal('EnforcedPause'));
    await send(deployer, pause('unpause'));
    await send(user, burn);
  });

  it('an order is paid once by its payer, and a stranger cannot block it', async () => {
    const { contracts } = chain;
    const { usdc, marketplace } = contracts;
    const { hot, treasury } = test.network.keys;
    const payment = { orderId: 'MKT-1-abcdefgh', token: usdc, units: 25_000n };
    await send(hot, mintTokenCall(usdc, hot.address, 1n));
    await send(hot, approveCall(usdc, marketplace, 1n));
    await send(hot, payOrderCall(contracts, { ...payment, units: 1n }));

    await expect(send(user, payOrderCall(contracts, payment))).rejects.toMatchObject(
      refusal('ERC20: transfer amount exceeds allowance'),
    );
    await send(user, approveCall(usdc, marketplace, 50_000n));
    const before = await unitsOf(usdc, treasury.address);
    const { block_number } = await send(user, payOrderCall(contracts, payment));
    expect(await unitsOf(usdc, treasury.address)).toBe(before + 25_000n);
    const events = await (await chain.client()).getContractEvents({
      address: marketplace,
      abi: marketplacePayments.abi,
      eventName: 'PaymentReceived',
      fromBlock: BigInt(block_number),
    });
    expect(events.map(({ args }) => args)).toEqual([
      {
        orderKey: orderKey(payment.orderId),
        payer: user.address,
        token: usdc,
        amount: 25_000n,
        orderId: payment.orderId,
      },
    ]);
    await expect(send(user, payOrderCall(contracts, payment))).rejects.toMatchObject(
      refusal('AlreadyPaid'),
    );
    const other = { ...payment, orderId: 'MKT-2', token: contracts.idr_token };
    await expect(send(user, payOrderCall(contracts, other))).rejects.toMatchObject(
      refusal('TokenNotAccepted'),
    );
  });

  it('tokens sent to the payment contract by mistake or on purpose reach the treasury', async () => {
    const { usdc, marketplace } = chain.contracts;
    const { treasury } = test.network.keys;
    await send(user, transferCall(usdc, marketplace, 333n));
    const before = await unitsOf(usdc, treasury.address);
    const { abi } = marketplacePayments;
    const data = encodeFunctionData({ abi, functionName: 'sweep', args: [usdc] });
    await send(user, { to: marketplace, data });
    expect(await unitsOf(usdc, treasury.address)).toBe(before + 333n);
    expect(await unitsOf(usdc, marketplace)).toBe(0n);
  });

  it('the operator alone records a purchase, once', async () => {
    const { contracts } = chain;
    const { hot } = test.network.keys;
    const hash = `0x${'01'.repeat(32)}` as const;
    const purchase = { orderId: 'MCP-1', units: 5n, paymentTx: hash, metaHash: hash };
    const record = recordPurchaseCall(contracts, { ...purchase, buyer: user.address });
    await expect(send(user, record)).rejects.toMatchObject(
      refusal('AccessControlUnauthorizedAccount'),
    );
    await send(hot, record);
    await expect(send(hot, record)).rejects.toMatchObject(refusal('AlreadyRecorded'));
  });
});
