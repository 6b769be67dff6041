import { type Address, type Hex, isErc6492Signature, isHex, recoverMessageAddress } from 'viem';
import { createSiweMessage, generateSiweNonce } from 'viem/siwe';
import type { ChainAccess } from './client.ts';
import { chainFault } from './fault.ts';

/** What a message of EIP-4361 says. */
export interface SignInText {
  readonly address: Address;
  /** Where the caller's service is reached. */
  readonly publicUrl: string;
  readonly statement: string;
  readonly requestId: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** The message of EIP-4361 for that chain, with a nonce of its own. */
export const signInMessage = ({ info }: Pick<ChainAccess, 'info'>, text: SignInText): string =>
  createSiweMessage({
    domain: new URL(text.publicUrl).host,
    uri: text.publicUrl,
    version: '1',
    chainId: info.chainId,
    nonce: generateSiweNonce(),
    address: text.address,
    statement: text.statement,
    requestId: text.requestId,
    issuedAt: text.issuedAt,
    expirationTime: text.expiresAt,
  });

/** What has signed: the key of the address, or the contract at it. */
export type MessageSigner = 'key' | 'contract';

/**
 * What has signed that message for the address (EIP-191, EIP-1271, EIP-6492); nothing where it has not. The
 * node is called for contracts only. Throws the chain's fault where it does not answer.
 */
export async function messageSigner(
  chain: Pick<ChainAccess, 'client'>,
  { address, message, signature }: { address: Address; message: string; signature: string },
): Promise<MessageSigner | undefined> {
  if (!isHex(signature)) return undefined;
  if (await isOfKey({ address, message, signature })) return 'key';
  try {
    const client = await chain.client();
    const code = await client.getCode({ address });
    if (code === undefined && !isErc6492Signature(signature)) return undefined;
    if (await client.verifyMessage({ address, message, signature })) return 'contract';
    // The library takes a node that went away for a signature that does not hold.
    await client.getBlockNumber();
    return undefined;
  } catch (error) {
    throw chainFault(error);
  }
}

async function isOfKey({
  address,
  message,
  signature,
}: {
  readonly address: Address;
  readonly message: string;
  readonly signature: Hex;
}): Promise<boolean> {
  if (signature.length !== 2 + 65 * 2) return false;
  const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined);
  return signer === address;
}
