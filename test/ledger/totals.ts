import { type Db, run } from '#kernel/db/db.ts';
import type { AccountTotals } from '#kernel/ledger/accounts.ts';

type Totals = Omit<AccountTotals, 'held' | 'available'>;

/** Of every account of that purpose that these owners have. */
export const totalsOf = (db: Db, owners: readonly string[], purpose: string): Promise<Totals[]> =>
  run<Totals>(
    db,
    `select owner, asset, sum(moves)::bigint as moves, sum(volume) as volume, sum(posted) as balance
      from ledger.accounts where owner = any($1) and purpose = $2
      group by owner, asset order by owner, asset`,
    [owners, purpose],
  );
