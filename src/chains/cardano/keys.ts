import type { FixedTransaction, NativeScript } from '@emurgo/cardano-serialization-lib-nodejs';
import { mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { inLib, type Lib, loadLib } from './csl.ts';

/** Of the test networks; the contract has no other. */
export const NETWORK_ID = 0;
/** USDC in hexadecimal digits, as the chain writes the names of assets. */
export const ASSET_NAME = Buffer.from('USDC').toString('hex');

/** What the platform is on the chain. The private keys stay in here. */
export interface CardanoKeys {
  /** Where its coins are, and where it mints to and burns from. */
  readonly treasury: string;
  /** Of the treasury's key, hexadecimal. */
  readonly treasuryHash: string;
  readonly policyId: string;
  /** What the chain calls our USDC: the policy and the name. */
  readonly assetId: string;
  readonly script: NativeScript;
  /** Signs as the treasury, and as the holder of the policy what mints or burns. */
  sign(transaction: FixedTransaction, what: { readonly mints: boolean }): void;
}

const HARDENED = 0x80000000;
const COIN = 1815 + HARDENED;

/**
 * From the mnemonic of the platform's chain accounts: the treasury at m/1852'/1815'/0'/0/0 (CIP-1852), the
 * key of the policy at m/1855'/1815'/0' (CIP-1855). The policy asks for that key's signature and nothing
 * else, so that its holder mints and burns.
 */
export function cardanoKeys(mnemonic: string): () => Promise<CardanoKeys> {
  let made: Promise<CardanoKeys> | undefined;
  return () => {
    made ??= loadLib().then((lib) => derive(lib, mnemonic));
    return made;
  };
}

function derive(lib: Lib, mnemonic: string): CardanoKeys {
  return inLib((keep) => {
    const entropy = Buffer.from(mnemonicToEntropy(mnemonic, wordlist));
    const root = keep(lib.Bip32PrivateKey.from_bip39_entropy(entropy, Buffer.alloc(0)));
    const at = (path: readonly number[]) =>
      path.reduce((key, index) => keep(key.derive(index)), root).to_raw_key();
    const paying = at([1852 + HARDENED, COIN, HARDENED, 0, 0]);
    const minting = at([1855 + HARDENED, COIN, HARDENED]);
    const hash = keep(keep(paying.to_public()).hash());
    const credential = keep(lib.Credential.from_keyhash(hash));
    const address = keep(keep(lib.EnterpriseAddress.new(NETWORK_ID, credential)).to_address());
    const pubkey = keep(lib.ScriptPubkey.new(keep(keep(minting.to_public()).hash())));
    const script = lib.NativeScript.new_script_pubkey(pubkey);
    const policyId = keep(script.hash()).to_hex();
    return {
      treasury: address.to_bech32(),
      treasuryHash: hash.to_hex(),
      policyId,
      assetId: `${policyId}${ASSET_NAME}`,
      script,
      sign(transaction, { mints }) {
        transaction.sign_and_add_vkey_signature(paying);
        // A signature that nothing asks for makes it longer than its fee pays for.
        if (mints) transaction.sign_and_add_vkey_signature(minting);
      },
    };
  });
}

/** An address of the test networks that can be paid to, as typed; nothing when it is none. */
export function typedAddress(lib: Lib, text: string): string | undefined {
  if (!/^addr_test1[02-9ac-hj-np-z]{20,140}$/.test(text)) return undefined;
  try {
    return inLib((keep) => {
      const address = keep(lib.Address.from_bech32(text));
      const known =
        lib.BaseAddress.from_address(address) ?? lib.EnterpriseAddress.from_address(address);
      if (known === undefined || address.network_id() !== NETWORK_ID) return undefined;
      keep(known);
      return text;
    });
  } catch {
    return undefined;
  }
}
