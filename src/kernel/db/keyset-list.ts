import { endOfMillisecond } from './counted-list.ts';
import { type Db, run } from './db.ts';

/**
 * A list of an owner's rows, newest first, in pages by a number that each row has. Its table has the columns
 * `user_id`, `status` and `created_at`, the indexes (user_id, number), (user_id, created_at, number) and
 * (user_id, status, created_at, number), and one of each column that others know a row by.
 */
export interface KeysetList {
  readonly table: string;
  readonly number: string;
}

/** The filters of a page; an undefined one matches all rows. */
export interface KeysetRequest {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly status?: string | undefined;
  /** A column with few rows of one value, and that value. */
  readonly known?: readonly [column: string, value: string] | undefined;
  /** Both ends included; to the millisecond, as times are shown. */
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

/** A page of an owner's rows. It costs as much for many rows as for few, with any filter. */
export function pageOfKeysetList<Row>(
  db: Db,
  { table, number }: KeysetList,
  owner: number,
  request: KeysetRequest,
): Promise<Row[]> {
  const values: unknown[] = [owner, request.limit];
  const clause = (value: unknown, rule: (name: string) => string): string =>
    value === undefined ? '' : ` and ${rule(`$${values.push(value)}`)}`;
  const end =
    request.created_to === undefined
      ? undefined
      : endOfMillisecond(`$${values.push(request.created_to)}`);
  /**
   * One end for both, so that the index is entered once: the row of the number that is given, else the next lower one
   * of the owner, which then belongs to the page; or the end of the time where that is earlier.
   */
  const rest = (given: string): string => {
    const place = `created_at, least(${number} + 1, ${given})`;
    const earlier = `least(created_at, ${end}), case when created_at < ${end} then least(${number} + 1, ${given}) else 0 end`;
    return `(t.created_at, t.${number}) < (select ${end === undefined ? place : earlier} from ${table}
      where user_id = $1 and ${number} <= ${given} order by ${number} desc limit 1)`;
  };
  const [column, value] = request.known ?? [];
  const wanted = [
    clause(request.before, (given) => rest(`${given}::bigint`)),
    clause(request.status, (given) => `t.status = ${given}`),
    clause(value, (given) => `t.${column} = ${given}`),
    clause(request.created_from, (at) => `t.created_at >= ${at}::timestamptz`),
    request.before === undefined && end !== undefined ? ` and t.created_at < ${end}` : '',
  ].join('');
  return run<Row>(
    db,
    `select t.* from ${table} t where t.user_id = $1${wanted} order by t.created_at desc, t.${number} desc limit $2`,
    values,
  );
}
