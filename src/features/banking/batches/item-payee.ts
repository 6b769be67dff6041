import type { Kernel } from '#kernel/kernel.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';
import type { BankAccount } from '#providers/gateway/port.ts';
import type { BatchItem } from './items-store.ts';

type Sealing = Pick<Kernel, 'vault'>;

const contextOf = (our_reference: string): string => `batch-item:${our_reference}`;

/** The account of a line, as its row keeps it. */
export const sealItemPayee = (
  { vault }: Sealing,
  our_reference: string,
  payee: BankAccount,
): string => vault.seal(JSON.stringify(payee), contextOf(our_reference));

export function openItemPayee(
  { vault }: Sealing,
  { sealed_payee, our_reference }: Pick<BatchItem, 'sealed_payee' | 'our_reference'>,
): BankAccount {
  if (sealed_payee === null) throw new Error(`${our_reference} pays no bank`);
  return JSON.parse(vault.open(sealed_payee, contextOf(our_reference))) as BankAccount;
}

/** Sealed accounts of batches. */
export const SEALED_BATCH_ITEMS: SealedKind = {
  what: 'accounts of batches',
  text: `select sealed_payee as sealed, 'batch-item:' || our_reference as context, null::bytea as mark
    from batch_items where sealed_payee is not null`,
};
