import { type Address, type Hash, type Hex, keccak256, parseEther, parseGwei } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { expect } from 'vitest';
import { payOrderCall } from '#chains/evm/contracts/calls.ts';
import { approveCall, type ContractCall, transferCall } from '#chains/evm/contracts/port.ts';
import { type EvmChain, keySigner } from '#chains/evm/port.ts';

/** Calls a node of our own by its name. */
export async function node(
  chain: EvmChain,
  method: string,
  ...params: unknown[]
): Promise<unknown> {
  const client = await chain.client();
  return client.request({ method, params } as { method: 'eth_chainId' });
}

/** A person with a wallet of their own, whose transactions are in no journal of ours; with coins for gas. */
export async function stranger(chain: EvmChain, key: Hex = generatePrivateKey()) {
  const signer = keySigner(key);
  const { address } = signer;
  await node(chain, 'anvil_setBalance', address, `0x${parseEther('10').toString(16)}`);
  const send = async (call: ContractCall): Promise<Hash> => {
    const client = await chain.client();
    const [nonce, { baseFeePerGas }] = await Promise.all([
      client.getTransactionCount({ address, blockTag: 'pending' }),
      client.getBlock(),
    ]);
    // The node suggests the price paid before: twice that would soon exceed every balance.
    const gasPrice = (baseFeePerGas ?? 0n) * 2n + parseGwei('1');
    const gas = 300_000n;
    const raw = await signer.sign({
      type: 'legacy',
      chainId: chain.info.chainId,
      nonce,
      gasPrice,
      gas,
      ...call,
      value: 0n,
    });
    await client.sendRawTransaction({ serializedTransaction: raw });
    const hash = keccak256(raw);
    await mined(chain, hash);
    return hash;
  };
  const { usdc, marketplace } = chain.contracts;
  const pay = async (orderId: string, units: bigint, token: Address = usdc): Promise<Hash> => {
    await send(approveCall(token, marketplace, units));
    return send(payOrderCall(chain.contracts, { orderId, token, units }));
  };
  const transfer = (units: bigint, token: Address = usdc): Promise<Hash> =>
    send(transferCall(token, marketplace, units));
  const allow = (units: bigint): Promise<Hash> => send(approveCall(usdc, marketplace, units));
  return { key, address, send, pay, transfer, allow };
}

/** Waits until it is in a block, which a node answers before, unless blocks are made by hand. */
export async function mined(chain: EvmChain, hash: Hash): Promise<void> {
  if (!(await node(chain, 'anvil_getAutomine'))) return;
  const client = await chain.client();
  const found = () =>
    client.getTransactionReceipt({ hash }).then(
      () => true,
      () => false,
    );
  await expect.poll(found).toBe(true);
}
