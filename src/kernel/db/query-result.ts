import type { QueryResult } from 'kysely';
import type pg from 'pg';

/** As Kysely wants it. */
export function resultOf<R>({ command, rowCount, rows }: pg.QueryResult): QueryResult<R> {
  if (!COUNTED.has(command)) return { rows: rows as R[] };
  return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
}
const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
