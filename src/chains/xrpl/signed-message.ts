import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { Connection } from './connection.ts';
import { library } from './library.ts';
import { readAccount } from './setup.ts';

/** A text, the signature of its bytes and the key that made it, both in hexadecimal. */
export interface SignedText {
  readonly address: string;
  readonly message: string;
  readonly signature: string;
  readonly publicKey: string;
}

/** `lsfDisableMaster`: the account's own key signs nothing any more. */
const MASTER_DISABLED = 0x00100000;

/**
 * Whether a key that may sign for the account has signed the text: its regular key, or its own where that is
 * not disabled. An account that the ledger does not know has its own key only. `unknown` where the ledger does not answer.
 */
export async function isSignedFor(
  connection: Connection,
  { address, message, signature, publicKey }: SignedText,
): Promise<Outcome<boolean>> {
  const signer = await signerOfText({ message, signature, publicKey });
  if (signer === undefined) return done(false);
  const account = await readAccount(connection, address);
  if (account.kind !== 'done') return account;
  const { flags = 0, regularKey } = account.value ?? {};
  if (signer === regularKey) return done(true);
  return done(signer === address && (flags & MASTER_DISABLED) === 0);
}

/** The address of the key, where it has signed the text. */
async function signerOfText({ message, signature, publicKey }: Omit<SignedText, 'address'>) {
  const { convertStringToHex, deriveAddress, verifyKeypairSignature } = await library();
  try {
    const isRight = verifyKeypairSignature(convertStringToHex(message), signature, publicKey);
    return isRight ? deriveAddress(publicKey) : undefined;
  } catch {
    // The library throws for what is no key or no signature.
    return undefined;
  }
}
