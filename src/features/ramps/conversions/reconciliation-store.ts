import type { Db } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

/** A comparison of ledger and gateway. */
export type Reconciliation = Row<'conversion_reconciliations'> & {
  readonly status: 'MATCHED' | 'MISMATCH';
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
