import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { objectId } from '#kernel/object-id.ts';
import { CLOSING_ITEMS_MAX, type ClosingItem } from '#kernel/person-data/closing-check.ts';

/** Cards of a person that can still be used. */
export async function openCardsOf(db: Db, user_id: number): Promise<ClosingItem[]> {
  const open = await run<Row<'issued_cards', 'card_id'>>(
    db,
    `select card_id from issued_cards where user_id = $1 and status in ('PENDING', 'INACTIVE', 'ACTIVE', 'FROZEN')
      order by serial limit ${CLOSING_ITEMS_MAX}`,
    [user_id],
  );
  return open.map(({ card_id }) => {
    const id = objectId('crd', card_id);
    return { type: 'card', id, href: `/cards/${id}` };
  });
}
