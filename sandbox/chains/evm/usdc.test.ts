import { type Address, createPublicClient, type Hex, http, parseSignature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';
import { sandboxUSDC } from './sandbox-usdc.generated.ts';

const h = await harness();
const { amoy } = h.app.evm.chains;
const { usdc } = amoy.contracts;
const client = createPublicClient({ transport: http(await amoy.url()) });
const { abi } = sandboxUSDC;
const circle = (action: string, address?: string) =>
  h.sandbox('POST', '/chains/amoy/usdc', { action, ...(address && { address }) });
const balanceOf = (owner: Address) =>
  client.readContract({ address: usdc, abi, functionName: 'balanceOf', args: [owner] });

const holder = privateKeyToAccount(generatePrivateKey());
const other = privateKeyToAccount(generatePrivateKey());
await fund(h, 'amoy', holder.address, 'USDC', '10');

const domain = {
  name: 'USD Coin',
  version: '2',
  chainId: amoy.info.chainId,
  verifyingContract: usdc,
};
const NONCE: Hex = `0x${'07'.repeat(32)}`;
const AUTHORIZATION = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;
const PERMIT = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

const until = 2n ** 40n;
const partsOf = (signature: Hex) => {
  const { r, s, yParity } = parseSignature(signature);
  return { v: yParity + 27, r, s };
};

async function authorized(value: bigint) {
  const message = {
    from: holder.address,
    to: other.address,
    value,
    validAfter: 0n,
    validBefore: until,
    nonce: NONCE,
  };
  const signature = await holder.signTypedData({
    domain,
    types: AUTHORIZATION,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  const { v, r, s } = partsOf(signature);
  return [holder.address, other.address, value, 0n, until, NONCE, v, r, s] as const;
}
const simulate = (functionName: 'transferWithAuthorization' | 'permit', args: readonly unknown[]) =>
  client.simulateContract({
    address: usdc,
    abi,
    functionName,
    args,
    account: other.address,
  } as never);

describe("the sandbox's USDC", () => {
  test('keeps its name, decimals and balances, and has version 2', async () => {
    const read = (functionName: 'name' | 'version' | 'decimals' | 'paused') =>
      client.readContract({ address: usdc, abi, functionName });
    expect([await read('name'), await read('version'), await read('decimals')]).toEqual([
      'USD Coin',
      '2',
      6,
    ]);
    expect([await read('paused'), await balanceOf(holder.address)]).toEqual([false, 10_000_000n]);
  });

  test('takes a transfer that its holder has signed, and no other amount', async () => {
    const args = await authorized(1_000_000n);
    await expect(simulate('transferWithAuthorization', args)).resolves.toBeDefined();
    const more = args.with(2, 2_000_000n);
    await expect(simulate('transferWithAuthorization', more)).rejects.toThrow('invalid signature');
  });

  test('takes a permit that its holder has signed', async () => {
    const message = {
      owner: holder.address,
      spender: other.address,
      value: 5n,
      nonce: 0n,
      deadline: until,
    };
    const signature = await holder.signTypedData({
      domain,
      types: PERMIT,
      primaryType: 'Permit',
      message,
    });
    const { v, r, s } = partsOf(signature);
    const args = [holder.address, other.address, 5n, until, v, r, s];
    await expect(simulate('permit', args)).resolves.toBeDefined();
    await expect(simulate('permit', args.with(2, 6n))).rejects.toThrow('invalid signature');
  });
});

describe('a send of USDC', () => {
  async function sending() {
    const as = await h.user();
    const [{ wallet_address } = { wallet_address: '' }] = await walletOn(h, as, 'amoy');
    await fund(h, 'amoy', wallet_address, 'native', '2');
    await fund(h, 'amoy', wallet_address, 'USDC', '20');
    const send = (to_address: string) =>
      h.call('POST /onchain/execute', {
        as,
        body: {
          wallet_address,
          chain_id: 'amoy',
          token_symbol: 'USDC',
          token_contract: usdc,
          to_address,
          amount: '5',
        },
      });
    return { send, wallet: wallet_address as Address };
  }

  test('to an account on the blacklist moves nothing, and works once it is off', async () => {
    const { send, wallet } = await sending();
    const to = privateKeyToAccount(generatePrivateKey()).address;
    await circle('blacklist', to);
    const [status, body] = await send(to);
    expect([status, body.success]).toEqual([400, false]);
    expect(JSON.stringify(body)).toContain('Blacklistable: account is blacklisted');
    expect([await balanceOf(wallet), await balanceOf(to)]).toEqual([20_000_000n, 0n]);
    await circle('unBlacklist', to);
    expect((await send(to))[0]).toBe(201);
    expect(await balanceOf(to)).toBe(5_000_000n);
  });

  test('from an account on the blacklist, or while all of USDC is paused, moves nothing', async () => {
    const { send, wallet } = await sending();
    await circle('blacklist', wallet);
    expect((await send(other.address))[0]).toBe(400);
    await circle('unBlacklist', wallet);
    await circle('pause');
    const [status, body] = await send(other.address);
    await circle('unpause');
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('Pausable: paused');
    expect([await balanceOf(wallet), await balanceOf(other.address)]).toEqual([20_000_000n, 0n]);
  });
});

test('the control takes an address exactly where it needs one', async () => {
  await expect(circle('blacklist')).rejects.toThrow('VALIDATION_ERROR');
  await expect(circle('pause', other.address)).rejects.toThrow('VALIDATION_ERROR');
});
