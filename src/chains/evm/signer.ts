import { pbkdf2Sync } from 'node:crypto';
import { type Address, getAddress, type Hex, toHex } from 'viem';
import { HDKey, privateKeyToAccount } from 'viem/accounts';
import { lazy } from '#kernel/lazy.ts';

/** Legacy, because its price is exactly the one we chose, on all three chains and on a replay. */
export interface Unsigned {
  readonly type: 'legacy';
  readonly chainId: number;
  readonly nonce: number;
  readonly gasPrice: bigint;
  readonly gas: bigint;
  readonly to?: Address | undefined;
  readonly data?: Hex | undefined;
  readonly value: bigint;
}

/** An address we can sign for. Keys stay inside. */
export interface Signer {
  readonly address: Address;
  sign(transaction: Unsigned): Promise<Hex>;
}

/** Opens what the database holds sealed: the private key as 0x and 64 hex digits. */
export type OpenKey = (sealed: string) => Promise<Hex>;

/** Signs for a user's wallet. The key is opened for each signature and not kept. */
export function sealedSigner(address: string, sealed: string, openKey: OpenKey): Signer {
  const expected = getAddress(address);
  return {
    address: expected,
    async sign(transaction) {
      const account = privateKeyToAccount(await openKey(sealed));
      if (account.address !== expected)
        throw new Error(`The sealed key is not that of ${expected}`);
      return account.signTransaction(transaction);
    },
  };
}

/** Signs with a key that a caller posted with one request; only this object holds it. */
export function keySigner(privateKey: Hex): Signer {
  const account = privateKeyToAccount(privateKey);
  return { address: account.address, sign: (transaction) => account.signTransaction(transaction) };
}

/** The platform's own addresses, one duty each. */
export interface PlatformKeys {
  /** Deploys the contracts and administers their roles. */
  readonly deployer: Signer;
  /** Pays gas, sponsors burns, mints. */
  readonly hot: Signer;
  /** The only one who mints at the bridge. */
  readonly relayer: Signer;
  /** Receives what orders pay. */
  readonly treasury: Signer;
  /** Owns the coins of embedded chains and makes their tokens, for people who try things out. */
  readonly faucet: Signer;
}

const DUTIES = ['deployer', 'hot', 'relayer', 'treasury', 'faucet'] as const;

/**
 * Derives them at m/44'/60'/0'/0/0 to 4, each when it is first asked for: the arithmetic would keep every
 * start waiting.
 */
export function platformKeys(mnemonic: string): PlatformKeys {
  const seed = mnemonicSeed(mnemonic);
  const parent = lazy(() => HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0"));
  const at = (index: number): Signer => {
    const { privateKey } = parent().deriveChild(index);
    if (!privateKey) throw new Error('A derived key without its private half');
    return keySigner(toHex(privateKey));
  };
  const duties = DUTIES.map((duty, index) => {
    return [duty, { enumerable: true, get: lazy(() => at(index)) }] as const;
  });
  return Object.defineProperties({}, Object.fromEntries(duties)) as PlatformKeys;
}

/** As BIP-39 says, by the native hash: the one in JavaScript keeps every start waiting. */
export function mnemonicSeed(mnemonic: string): Buffer {
  const words = mnemonic.normalize('NFKD').split(' ');
  if (![12, 15, 18, 21, 24].includes(words.length)) throw new Error('Invalid mnemonic');
  return pbkdf2Sync(words.join(' '), 'mnemonic', 2048, 64, 'sha512');
}

/** Signs by address among the platform's own; user wallets are looked up elsewhere. */
export const platformSigner = (keys: PlatformKeys, address: string): Signer | undefined =>
  Object.values(keys).find((signer: Signer) => signer.address === getAddress(address));
