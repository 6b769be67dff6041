import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

/** What the transaction of that hash is called, in any state; nothing when it is none of ours. */
export async function cardanoReferenceOf(db: Db, hash: string): Promise<string | undefined> {
  const [row] = await run<Row<'cardano_transactions', 'reference'>>(
    db,
    'select reference from cardano_transactions where hash = lower($1)',
    [hash],
  );
  return row?.reference;
}
