import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { objectId } from '#kernel/object-id.ts';
import { CLOSING_ITEMS_MAX, type ClosingItem } from '#kernel/person-data/closing-check.ts';

/** Invoices of a person that may still be paid. */
export async function openInvoicesOf(db: Db, user_id: number): Promise<ClosingItem[]> {
  const open = await run<Row<'invoices', 'invoice_id'>>(
    db,
    `select invoice_id from invoices where user_id = $1 and status = 'OPEN'
      order by serial limit ${CLOSING_ITEMS_MAX}`,
    [user_id],
  );
  return open.map(({ invoice_id }) => {
    const id = objectId('inv', invoice_id);
    return { type: 'invoice', id, href: `/payment-gateway/invoices/${id}` };
  });
}
