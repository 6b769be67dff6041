import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { objectId } from '#kernel/object-id.ts';
import { CLOSING_ITEMS_MAX, type ClosingItem } from '#kernel/person-data/closing-check.ts';

/** Batches of a person that were submitted and have not ended. */
export async function openBatchesOf(db: Db, user_id: number): Promise<ClosingItem[]> {
  const open = await run<Row<'batches', 'batch_id'>>(
    db,
    `select batch_id from batches where user_id = $1 and status in ('PENDING_APPROVAL', 'SCHEDULED', 'PROCESSING')
      order by serial limit ${CLOSING_ITEMS_MAX}`,
    [user_id],
  );
  return open.map(({ batch_id }) => {
    const id = objectId('bat', batch_id);
    return { type: 'batch', id, href: `/batches/${id}` };
  });
}
