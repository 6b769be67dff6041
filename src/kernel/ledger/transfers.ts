import { type Db, run } from '../db/db.ts';
import type { Asset } from '../money/money.ts';
import type { Leg } from './ledger.ts';

/** What one account got by a transfer; what its parts got is the account's. */
export interface TransferEntry {
  readonly account: number;
  readonly owner: string;
  readonly purpose: string;
  readonly asset: Asset;
  readonly amount: bigint;
  /** Whether something was set aside or freed. */
  readonly has_holds: boolean;
}

export interface Transfer {
  readonly transfer_id: number;
  readonly kind: string;
  readonly entries: readonly TransferEntry[];
}

/** The transfer that was posted under that key, if there is one. */
export async function findTransfer(db: Db, key: string): Promise<Transfer | undefined> {
  const [row] = await run<Transfer & { entries: (TransferEntry & { amount: string })[] }>(
    db,
    `select t.transfer_id, t.kind, (
       select json_agg(e order by e.account) from (
         select coalesce(a.part_of, a.account_id) as account, a.owner, a.purpose, a.asset,
           sum(e.amount)::text as amount, bool_or(e.held_delta <> 0) as has_holds
         from ledger.entries e join ledger.accounts a using (account_id)
         where e.transfer_id = t.transfer_id group by 1, 2, 3, 4) e) as entries
     from ledger.transfers t where t.operation_key = $1`,
    [key],
  );
  const entries = row?.entries.map((one) => ({ ...one, amount: BigInt(one.amount) }));
  return row && entries && { ...row, entries };
}

/** What undoes it; of a transfer without holds. */
export const reversalLegs = ({ entries }: Transfer): Leg[] =>
  entries.map(({ account, amount }) => ({ account, amount: -amount }));
