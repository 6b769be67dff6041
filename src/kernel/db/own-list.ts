import { type Db, run } from './db.ts';

/**
 * A list of an owner's rows, newest first, in pages by a number that grows with their times. Its table has the
 * columns `user_id`, `status` and `created_at`, the indexes (user_id, number), (user_id, status, number) and
 * (user_id, created_at, number), and one of each column that others know a row by.
 */
export interface OwnList {
  readonly table: string;
  readonly number: string;
}

/** What a page is asked for by. Undefined asks for all. */
export interface OwnWish {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly status?: string | undefined;
  /** A column that few rows have the same in, and what it is there. */
  readonly known?: readonly [column: string, value: string] | undefined;
  /** Both ends included; to the millisecond, as times are shown. */
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

/** A page of an owner's rows. It costs as much for many rows as for few, whatever it is asked for by. */
export function pageOfOwn<Row>(
  db: Db,
  { table, number }: OwnList,
  owner: number,
  wish: OwnWish,
): Promise<Row[]> {
  const values: unknown[] = [owner, wish.limit];
  const asked = (value: unknown, rule: (name: string) => string): string =>
    value === undefined ? '' : ` and ${rule(`$${values.push(value)}`)}`;
  /** From where on the times are those that are wanted: rows beyond are not looked at. */
  const edge = (rule: string, order: 'asc' | 'desc'): string =>
    `(select ${number} from ${table} where user_id = $1 and created_at ${rule}
      order by created_at ${order}, ${number} ${order} limit 1)`;
  const since = (at: string) => `>= ${at}::timestamptz`;
  const until = (at: string) => `< ${at}::timestamptz + interval '1 millisecond'`;
  const [column, value] = wish.known ?? [];
  const wanted = [
    asked(wish.before, (given) => `t.${number} < ${given}`),
    asked(wish.status, (given) => `t.status = ${given}`),
    asked(value, (given) => `t.${column} = ${given}`),
    asked(
      wish.created_from,
      (at) => `t.created_at ${since(at)} and t.${number} >= ${edge(since(at), 'asc')}`,
    ),
    asked(
      wish.created_to,
      (at) => `t.created_at ${until(at)} and t.${number} <= ${edge(until(at), 'desc')}`,
    ),
  ].join('');
  return run<Row>(
    db,
    `select t.* from ${table} t where t.user_id = $1${wanted} order by t.${number} desc limit $2`,
    values,
  );
}
