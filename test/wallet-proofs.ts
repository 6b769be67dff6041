import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Body, Harness } from './harness.ts';

type As = { readonly token: string };

export const challengeFor = (h: Harness, as: As, chain_id: string, wallet_address: string) =>
  h.call('POST /wallet-proofs/challenges', { as, body: { chain_id, wallet_address } });

export const sendProof = (h: Harness, as: As, body: object) =>
  h.call('POST /wallet-proofs', { as, body });

/** Proves the wallet of that key, and answers the endpoint's answer. */
export async function proveKey(
  h: Harness,
  as: As,
  key: Hex,
  chain_id = 'sepolia',
): Promise<[number, Body]> {
  const account = privateKeyToAccount(key);
  const [, { data }] = await challengeFor(h, as, chain_id, account.address);
  const signature = await account.signMessage({ message: data.message });
  return sendProof(h, as, { challenge_id: data.challenge_id, signature });
}

export function newKey(): { readonly key: Hex; readonly address: string } {
  const key = generatePrivateKey();
  return { key, address: privateKeyToAccount(key).address };
}
