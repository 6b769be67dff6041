import { type Db, run } from './db.ts';
import type { DB } from './schema.generated.ts';

/** Whether anything was ever kept in that table. Reads one row at the most. */
export async function hasRows(db: Db, table: keyof DB): Promise<boolean> {
  const [row] = await run<{ has: boolean }>(db, `select exists (select from ${table}) as has`, []);
  return row?.has === true;
}
