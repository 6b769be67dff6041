import { type Db, run } from './db.ts';
import type { DB } from './schema.generated.ts';

/** A value of each column, or a list of which the row has one. */
export type RowFilter<R> = { readonly [C in keyof R]?: R[C] | readonly R[C][] };

export interface Moves<R> {
  /** Changes the one row that fits the filter and returns it; throws where no row fits. */
  move(tx: Db, filter: RowFilter<R>, changes: Partial<R>): Promise<R>;
  /** The same, and undefined where no row fits. */
  tryMove(tx: Db, filter: RowFilter<R>, changes: Partial<R>): Promise<R | undefined>;
}

/**
 * State changes of one table. The filter names the row by its key and says from which states the change is
 * allowed: the check and the write are one statement, so that of two callers one wins. `R` is the row with its
 * states as a union; what the table's columns do not have does not compile where `R` is made of `Row`.
 */
export function movesOf<R extends object>(table: keyof DB & string): Moves<R> {
  const tryMove: Moves<R>['tryMove'] = async (tx, filter, changes) => {
    const { text, values } = updateOf(table, Object.entries(filter), Object.entries(changes));
    const rows = await run<R>(tx, text, values);
    if (rows.length > 1) throw new Error(`A change of ${table} fits ${rows.length} rows`);
    return rows[0];
  };
  return {
    tryMove,
    async move(tx, filter, changes) {
      const row = await tryMove(tx, filter, changes);
      if (row === undefined) throw new Error(`No row of ${table} is ${shownFilter(filter)}`);
      return row;
    },
  };
}

export type ColumnValue = readonly [name: string, value: unknown];

/**
 * An update of columns, and of `more` that SQL itself works out. The text depends on the names alone, so that it is
 * prepared once for a connection.
 */
export function updateOf(
  table: string,
  filter: readonly ColumnValue[],
  changes: readonly ColumnValue[],
  more: readonly string[] = [],
) {
  const values = [...changes, ...filter].map(([, value]) => parameterOf(value));
  const set = changes.map(([name], n) => `${name} = $${n + 1}`);
  const where = filter.map(([name, value], n) => {
    const parameter = `$${changes.length + n + 1}`;
    return Array.isArray(value) ? `${name} = any(${parameter})` : `${name} = ${parameter}`;
  });
  const text = `update ${table} set ${[...set, ...more].join(', ')} where ${where.join(' and ')} returning *`;
  return { text, values };
}

const parameterOf = (value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

const shownFilter = (filter: object): string =>
  Object.entries(filter)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(' and ');
