import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { objectId } from '#kernel/object-id.ts';
import { CLOSING_ITEMS_MAX, type ClosingItem } from '#kernel/person-data/closing-check.ts';

/** Money that a person has asked for and may still get. */
export async function openRequestsOf(db: Db, user_id: number): Promise<ClosingItem[]> {
  const open = await run<Row<'payment_requests', 'request_id'>>(
    db,
    `select request_id from payment_requests where user_id = $1 and status = 'OPEN'
      order by serial limit ${CLOSING_ITEMS_MAX}`,
    [user_id],
  );
  return open.map(({ request_id }) => {
    const id = objectId('req', request_id);
    return { type: 'request', id, href: `/wallets/fiat/requests/${id}` };
  });
}
