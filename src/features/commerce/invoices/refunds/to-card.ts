import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { MerchantInvoice } from '../store.ts';
import { mailClaimLink, newClaim } from './claim-link.ts';
import type { RefundDeps } from './deps.ts';
import { underWay } from './giving.ts';
import { type InvoiceRefund, insertInvoiceRefund, type NewInvoiceRefund } from './refund-store.ts';

interface Beginning {
  readonly made: Omit<NewInvoiceRefund, 'status' | 'way'>;
  readonly invoice: Pick<MerchantInvoice, 'customer' | 'description'>;
}

/** A refund to the card that has paid, whose owner brings it: a link asks for it. */
export async function beginCardRefund(
  deps: RefundDeps,
  tx: Db,
  by: Requester,
  { made, invoice }: Beginning,
): Promise<InvoiceRefund> {
  const claim = newClaim(deps, made.object_id);
  const way = { status: 'AWAITING_PAYER', way: 'card' } as const;
  const row = await insertInvoiceRefund(tx, { ...made, ...claim, ...way });
  if (!row) throw underWay();
  await mailClaimLink(deps, tx, by, { refund: row, invoice });
  return row;
}
