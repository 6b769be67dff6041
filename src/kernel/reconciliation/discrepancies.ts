import { type Db, run } from '../db/db.ts';
import type { Row } from '../db/row.ts';
import { emitWork } from '../jobs/work-events.ts';
import type { Asset } from '../money/money.ts';
import { transact } from '../transact.ts';

/** A provider's sum that is not the one we ordered; both in units. */
export type Discrepancy = Omit<Row<'discrepancies'>, 'since' | 'asset'> & { readonly asset: Asset };

/** Keeps it for a person, who hears of it once. What repeats it changes nothing. */
export const noteDiscrepancy = (db: Db, found: Discrepancy): Promise<void> =>
  transact(db, async (tx) => {
    const { kind, reference, asset, ordered, reported } = found;
    const rows = await run<{ is_new: boolean }>(
      tx,
      `insert into discrepancies as d (kind, reference, asset, ordered, reported) values ($1, $2, $3, $4, $5)
       on conflict (kind, reference) do update set ordered = excluded.ordered, reported = excluded.reported
         where (d.ordered, d.reported) is distinct from (excluded.ordered, excluded.reported)
       returning xmax = 0 as is_new`,
      [kind, reference, asset, ordered, reported],
    );
    if (rows[0]?.is_new) emitWork(tx, 'stalled', 'discrepancy', `${kind}:${reference}`);
  });

/** The provider reports what we ordered, or it came to nothing. */
export async function endDiscrepancies(
  db: Db,
  kind: string,
  references: readonly string[],
): Promise<void> {
  await run(db, 'delete from discrepancies where kind = $1 and reference = any($2)', [
    kind,
    references,
  ]);
}

/** Oldest first, for people; up to so many. */
export const openDiscrepancies = (
  db: Db,
  limit: number,
): Promise<(Discrepancy & { readonly since: string })[]> =>
  run(db, 'select * from discrepancies order by since limit $1', [limit]);
