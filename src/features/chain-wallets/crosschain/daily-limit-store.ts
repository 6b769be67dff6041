import { type Db, run } from '#kernel/db/db.ts';
import type { CrosschainTransfer } from './store.ts';

/** Counts against the user's day, all of it or nothing: false when the limit does not allow it. */
export async function spendDay(
  tx: Db,
  {
    user_id,
    limit_day,
    units,
  }: Pick<CrosschainTransfer, 'user_id' | 'units'> & {
    /** `YYYY-MM-DD`. */
    readonly limit_day: string;
  },
  max: bigint,
): Promise<boolean> {
  const rows = await run(
    tx,
    `insert into crosschain_days as d (user_id, day, units) values ($1, $2, $3::numeric)
     on conflict (user_id, day) do update set units = d.units + excluded.units
       where d.units + excluded.units <= $4::numeric
     returning units`,
    [user_id, limit_day, units.toString(), max.toString()],
  );
  return rows.length === 1;
}
