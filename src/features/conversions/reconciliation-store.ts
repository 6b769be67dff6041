import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { houseBalances } from '#kernel/ledger/accounts.ts';
import type { AskUnderWay, UnderWay } from './deps.ts';

/** What ledger and gateway said of each other. */
export type Reconciliation = Row<'conversion_reconciliations'> & {
  readonly status: 'MATCHED' | 'IN_FLIGHT' | 'MISMATCH';
};

export type NewReconciliation = Omit<Reconciliation, 'reconciliation_id' | 'created_at'>;

export const insertReconciliation = (
  db: Db,
  reconciliation: NewReconciliation,
): Promise<Reconciliation> =>
  db
    .insertInto('conversion_reconciliations')
    .values(reconciliation)
    .returningAll()
    .$narrowType<{ status: Reconciliation['status'] }>()
    .executeTakeFirstOrThrow();

export const getReconciliation = (db: Db, reconciliation_id: number): Promise<Reconciliation> =>
  db
    .selectFrom('conversion_reconciliations')
    .selectAll()
    .$narrowType<{ status: Reconciliation['status'] }>()
    .where('reconciliation_id', '=', reconciliation_id)
    .executeTakeFirstOrThrow();

/** Pay-outs of ours that the gateway may have taken off, and that are not booked yet. */
export async function conversionsUnderWay(db: Db): Promise<UnderWay> {
  const [row] = await run<{ total: bigint }>(
    db,
    `select coalesce(sum(amount), 0) as total from conversion_jobs
     where status in ('PENDING', 'DISBURSING', 'WAITING_EXCHANGE', 'TIMEOUT')
       and paid_out_at is null`,
    [],
  );
  return { goingOut: row?.total ?? 0n, comingIn: 0n };
}

/** What the house owes to banks for others, on accounts of those purposes: the gateway may have it. */
export const owedToBanks =
  (purposes: readonly string[]): AskUnderWay =>
  async (db) => {
    const accounts = await houseBalances(db, purposes, 'IDR');
    const owed = accounts.filter((posted) => posted > 0n);
    return { goingOut: owed.reduce((sum, posted) => sum + posted, 0n), comingIn: 0n };
  };
