import { type Db, run } from './db.ts';
import { type ColumnValue, type RowFilter, updateOf } from './move.ts';
import type { DB } from './schema.generated.ts';

/** A row with state fields, as far as its moves know it. */
interface Stated {
  readonly status: string;
  readonly version: number;
}

type Changed<R> = Partial<Omit<R, 'status' | 'status_times' | 'version' | 'updated_at'>>;

/** ISO 8601 in UTC with milliseconds, as in every answer. */
const NOW_TEXT = `to_char(service_now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** For an insert: `status_times` of a new row in that status. */
export const firstStatusTimes = (status: string): string =>
  `jsonb_build_object('${status.toLowerCase()}_at', ${NOW_TEXT})`;

export interface StateMoves<R extends Stated> {
  /**
   * Moves the one row that fits the filter to a status, in one conditional update: of several callers one does it.
   * Keeps the first time in that status, counts the version and sets `updated_at`. Undefined where no row fits.
   */
  tryMove(
    tx: Db,
    filter: RowFilter<R>,
    status: R['status'],
    changes?: Changed<R>,
  ): Promise<R | undefined>;
  /** Changes a row without a move: an edit. Counts the version. Undefined where no row fits. */
  tryEdit(tx: Db, filter: RowFilter<R>, changes: Changed<R>): Promise<R | undefined>;
}

/** State changes of a table with the columns of `StateRow`. */
export function stateMovesOf<R extends Stated>(table: keyof DB & string): StateMoves<R> {
  const change = async (tx: Db, filter: RowFilter<R>, columns: ColumnValue[], more: string[]) => {
    const extra = [...more, 'version = version + 1', 'updated_at = service_now()'];
    const { text, values } = updateOf(table, Object.entries(filter), columns, extra);
    const rows = await run<R>(tx, text, values);
    if (rows.length > 1) throw new Error(`A change of ${table} fits ${rows.length} rows`);
    return rows[0];
  };
  return {
    tryMove: (tx, filter, status, changes = {}) =>
      change(
        tx,
        filter,
        [['status', status], ...Object.entries(changes)],
        [`status_times = ${firstStatusTimes(status)} || status_times`],
      ),
    tryEdit: (tx, filter, changes) => change(tx, filter, Object.entries(changes), []),
  };
}
