import { inLib, loadLib } from './csl.ts';
import { NETWORK_ID } from './keys.ts';

/** What a wallet answers to `signData` (CIP-30), both in hexadecimal. */
export interface SignedData {
  readonly address: string;
  readonly message: string;
  /** COSE_Sign1 over the message. */
  readonly signature: string;
  /** COSE_Key of the signer. */
  readonly publicKey: string;
}

/**
 * Whether the payment key of that address of the test networks has signed the message (CIP-8). The stake key
 * of an address does not suffice, since it spends nothing; an address of a script has no key.
 */
export async function isSignedByPaymentKey(signed: SignedData): Promise<boolean> {
  const { address, message, signature, publicKey } = signed;
  const ofPaymentKey = await addressOfPaymentKey(address);
  if (ofPaymentKey === undefined) return false;
  const { default: module } = await import('@cardano-foundation/cardano-verify-datasignature');
  try {
    return verifierOf(module)(signature, publicKey, message, ofPaymentKey);
  } catch {
    // The library throws for what is no signature and no key.
    return false;
  }
}

type Verify = typeof import('@cardano-foundation/cardano-verify-datasignature')['default'];

/** The package is a bundle of CommonJS, whose default export is one level deeper. */
const verifierOf = (module: Verify | { readonly default: Verify }): Verify =>
  'default' in module ? module.default : module;

/** The address without a stake part: the library takes the stake key's signature for one that has it. */
async function addressOfPaymentKey(address: string): Promise<string | undefined> {
  const lib = await loadLib();
  return inLib((keep) => {
    const credential = keep(lib.Address.from_bech32(address)).payment_cred();
    const hash = credential && keep(credential).to_keyhash();
    if (credential === undefined || hash === undefined) return undefined;
    keep(hash);
    const plain = keep(lib.EnterpriseAddress.new(NETWORK_ID, credential));
    return keep(plain.to_address()).to_bech32();
  });
}
