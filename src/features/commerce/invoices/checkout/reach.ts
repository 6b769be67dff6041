import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { findInvoice, type MerchantInvoice } from '../store.ts';
import { isKeyOfInvoice } from './keys.ts';

/** The invoice whose page the key opens. Undefined for an unknown one and a wrong key alike. */
export async function invoiceOfCheckoutKey(
  { vault }: Pick<Kernel, 'vault'>,
  db: Db,
  { invoice_id, key }: { readonly invoice_id: string; readonly key: string },
): Promise<MerchantInvoice | undefined> {
  if (!isKeyOfInvoice({ vault }, invoice_id, key)) return undefined;
  return findInvoice(db, {}, invoice_id);
}
