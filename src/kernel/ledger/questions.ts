import { type Db, run } from '../db/db.ts';
import type { Row } from '../db/row.ts';
import type { Asset } from '../money/money.ts';
import type { Meant } from './returns.ts';

/** A payment that the network calls undone after we had given back a part of it. */
export type Question = Row<'ledger.returns', 'payment' | 'paid' | 'refunded'> & {
  readonly asset: Asset;
  readonly since: string;
};

const COLUMNS = 'payment, asset, paid, refunded, questioned_since as since';

/** Oldest first, for people; up to so many. */
export const openQuestions = (db: Db, limit: number): Promise<Question[]> =>
  run(
    db,
    `select ${COLUMNS} from ledger.returns where questioned > 0 order by questioned_since limit $1`,
    [limit],
  );

/** A person says what the word means, as long as it is not another word. False where nothing is in question. */
export async function decideReversal(tx: Db, payment: string, meant: Meant): Promise<boolean> {
  const rows = await run(
    tx,
    `update ledger.returns set reversal_meant = $2, questioned = 0, questioned_since = null, updated_at = service_now()
     where payment = $1 and questioned > 0 returning payment`,
    [payment, meant],
  );
  return rows.length === 1;
}
