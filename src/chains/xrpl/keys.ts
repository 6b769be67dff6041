import { HDKey } from 'viem/accounts';
import type { Wallet } from 'xrpl';
import { mnemonicSeed } from '../evm/signer.ts';
import { library } from './library.ts';

/** The platform's accounts on the XRP Ledger: who issues USDC, and who holds it for the users. */
export interface XrplKeys {
  readonly issuer: Wallet;
  readonly platform: Wallet;
}
export type XrplAccount = keyof XrplKeys;

/** Derives them at m/44'/144'/0'/0/0 and 1 of the words that the EVM chains' accounts come from. */
export async function xrplKeys(mnemonic: string): Promise<XrplKeys> {
  const { Wallet } = await library();
  const parent = HDKey.fromMasterSeed(mnemonicSeed(mnemonic)).derive("m/44'/144'/0'/0");
  const at = (index: number): Wallet => {
    const { publicKey, privateKey } = parent.deriveChild(index);
    if (!publicKey || !privateKey) throw new Error('A derived key without one of its halves');
    // The 00 says secp256k1 there.
    return new Wallet(hex(publicKey), `00${hex(privateKey)}`);
  };
  return { issuer: at(0), platform: at(1) };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
