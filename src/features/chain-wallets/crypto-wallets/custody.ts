import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { type Address, type Hex, toHex } from 'viem';
import { english, generateMnemonic, HDKey, hdKeyToAccount } from 'viem/accounts';
import { type Signer, sealedSigner } from '#chains/evm/port.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';
import type { Vault } from '#kernel/secrets/vault.ts';

export interface NewWalletKey {
  readonly address: Address;
  /** Twelve BIP-39 words; the address is theirs at m/44'/60'/0'/0/0. */
  readonly mnemonic: string;
  readonly privateKey: Hex;
}

/** An address of its own words. Nothing of it is kept here. */
export const makeKey = (): Promise<NewWalletKey> => keyOf(generateMnemonic(english));

/** The address of those words. */
export async function keyOf(mnemonic: string): Promise<NewWalletKey> {
  const account = hdKeyToAccount(HDKey.fromMasterSeed(await seedOf(mnemonic)));
  const { privateKey } = account.getHdKey();
  if (!privateKey) throw new Error('A derived key without its private part');
  return { address: account.address, mnemonic, privateKey: toHex(privateKey) };
}

const stretch = promisify(pbkdf2);

/** BIP-39, off the event loop, which the usual libraries would block for some 10 ms. */
const seedOf = (mnemonic: string): Promise<Buffer> =>
  stretch(mnemonic.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512');

export interface SealedKey {
  readonly sealed_mnemonic: string;
  readonly sealed_key: string;
}

/** Bound to the address's id, so that no row can borrow another's key. */
export const sealKey = (
  vault: Vault,
  address_id: number,
  { mnemonic, privateKey }: NewWalletKey,
): SealedKey => ({
  sealed_mnemonic: vault.seal(mnemonic, `mnemonic:${address_id}`),
  sealed_key: vault.seal(privateKey, `key:${address_id}`),
});

/** Signs for an address; its key is opened for each signature only. */
export const signerFor = (
  vault: Vault,
  row: {
    readonly address_id: number;
    readonly wallet_address: string;
    readonly sealed_key: string;
  },
): Signer =>
  sealedSigner(
    row.wallet_address,
    row.sealed_key,
    async (sealed) => vault.open(sealed, `key:${row.address_id}`) as Hex,
  );

/** These give control of the coins. */
export const SEALED_WALLETS: readonly SealedKind[] = [
  {
    what: 'keys of crypto wallets',
    text: `select sealed_key as sealed, 'key:' || address_id as context, null::bytea as mark from wallet_addresses`,
  },
  {
    what: 'words of crypto wallets',
    text: `select sealed_mnemonic as sealed, 'mnemonic:' || address_id as context, null::bytea as mark
      from wallet_addresses`,
  },
];
