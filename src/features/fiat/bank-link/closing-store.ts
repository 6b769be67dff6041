import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { CLOSING_ITEMS_MAX, type ClosingItem } from '#kernel/person-data/closing-check.ts';

/** Bank accounts of a person from which money can still be drawn. */
export async function bankLinksOf(db: Db, user_id: number): Promise<ClosingItem[]> {
  const linked = await run<Row<'bank_connections', 'connection_id'>>(
    db,
    `select connection_id from bank_connections where user_id = $1 and state = 'CONNECTED'
      order by connection_id limit ${CLOSING_ITEMS_MAX}`,
    [user_id],
  );
  return linked.map(({ connection_id }) => ({ type: 'bank_link', id: connection_id, href: null }));
}
