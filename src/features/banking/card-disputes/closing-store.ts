import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { CLOSING_ITEMS_MAX, type ClosingItem } from '#kernel/person-data/closing-check.ts';

/** Disputes of a person whose end is open: their money may still come or go. */
export async function openDisputesOf(db: Db, user_id: number): Promise<ClosingItem[]> {
  const open = await run<Row<'card_disputes', 'object_id'>>(
    db,
    `select object_id from card_disputes
      where user_id = $1 and status in ('DRAFT', 'SUBMITTED', 'PENDING_RESPONSE', 'PREARBITRATION')
      order by serial desc limit ${CLOSING_ITEMS_MAX}`,
    [user_id],
  );
  return open.map(({ object_id: id }) => ({ type: 'dispute', id, href: `/cards/disputes/${id}` }));
}
