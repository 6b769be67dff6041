import { createHash } from 'node:crypto';
import { library } from '#chains/xrpl/library.ts';
import type { Tx } from './apply.ts';

const KNOWN = new Set(['Payment', 'TrustSet', 'AccountSet']);
const FULLY_CANONICAL = 0x8000_0000;
/** AccountSet's flags that have effects here; others would be misread. */
const PLAYED = [1, 3, 6, 7, 8, 9];

/** A blob that could be read, or the server's own error for it. */
export type SimulatedXrplCheck =
  | { readonly tx: Tx; readonly hash: string; readonly signer: string }
  | { readonly invalid: string };

/** Reads what was submitted: the encoding is the only one there is, and the signature is its key's. */
export async function checkXrplTransaction(blob: string): Promise<SimulatedXrplCheck> {
  const { decode, encode, encodeForSigning, verifyKeypairSignature, deriveAddress } =
    await library();
  try {
    const tx = decode(blob) as unknown as Tx & { SigningPubKey: string; TxnSignature: string };
    const { SigningPubKey, TxnSignature } = tx;
    if (encode(tx as never) !== blob.toUpperCase()) return { invalid: 'is not canonical' };
    const signed = encodeForSigning(tx as never);
    if (!verifyKeypairSignature(signed, TxnSignature, SigningPubKey))
      return { invalid: 'fails local checks: Invalid signature.' };
    return { tx, hash: hashOf(blob), signer: deriveAddress(SigningPubKey) };
  } catch {
    return { invalid: 'fails local checks: Invalid signature.' };
  }
}

/** Half a SHA-512 of it, under the prefix of signed transactions. */
export const hashOf = (blob: string): string =>
  createHash('sha512')
    .update(Buffer.from(`54584E00${blob}`, 'hex'))
    .digest('hex')
    .slice(0, 64)
    .toUpperCase();

/** What is refused before any account is looked at; no ledger will have it. */
export function malformed(tx: Tx): string | undefined {
  const { TransactionType, Fee, Flags = 0, Amount, Account, Destination } = tx;
  if (!KNOWN.has(TransactionType)) return 'temUNKNOWN';
  // Paths, partial payments and other ways are the real ledger's; refused here rather than misread.
  const isOther = ['Paths', 'SendMax', 'DeliverMin', 'TicketSequence', 'Signers', 'NetworkID'].some(
    (field) => field in tx,
  );
  if (isOther || (Flags & ~FULLY_CANONICAL) !== 0) return 'temINVALID_FLAG';
  const flags = [tx.SetFlag, tx.ClearFlag].flatMap((flag) => flag ?? []);
  if (flags.some((flag) => flag !== 0 && !PLAYED.includes(flag))) return 'temINVALID_FLAG';
  if (!/^\d+$/.test(Fee)) return 'temBAD_FEE';
  if (BigInt(Fee) < 10n) return 'telINSUF_FEE_P';
  if (TransactionType === 'Payment') {
    if (Account === Destination) return 'temREDUNDANT';
    const value = typeof Amount === 'string' ? Amount : Amount?.value;
    if (value === undefined || Number(value) <= 0) return 'temBAD_AMOUNT';
  }
  if (TransactionType === 'TrustSet' && tx.LimitAmount?.issuer === Account) return 'temDST_IS_SRC';
  return undefined;
}
