import type { Db } from '#kernel/db/db.ts';
import { entriesUpward } from '#kernel/ledger/statement.ts';
import { format } from '#kernel/money/money.ts';
import type { PersonRows } from '#kernel/person-data/person-table.ts';
import { fiatWalletsOf } from './store.ts';

const AT_ONCE = 500;

/** What moved money in all wallets of a person, oldest first in each. */
export async function* entriesOfPerson(db: Db, user_id: number): PersonRows {
  for (const { account_id, wallet_id, currency } of await fiatWalletsOf(db, user_id))
    for (let after = 0, found = AT_ONCE; found === AT_ONCE; ) {
      const page = { after, last: Number.MAX_SAFE_INTEGER, limit: AT_ONCE };
      const rows = await entriesUpward(db, account_id, page);
      const written = (units: bigint) => format({ asset: currency, units });
      if (rows.length > 0)
        yield rows.map(({ seq, kind, amount, posted_after, created_at }) => ({
          wallet_id,
          currency,
          seq,
          kind,
          amount: written(amount),
          balance: written(posted_after),
          created_at,
        }));
      after = rows.at(-1)?.seq ?? after;
      found = rows.length;
    }
}
