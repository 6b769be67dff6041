import { type Db, run } from './db.ts';

/** How many rows a page looks through for those that fit its filters. */
const LOOKED_THROUGH = 1000;

export interface LookedList {
  /**
   * SQL of one table after another whose rows have a `serial`: each in the order of an index, newest first, narrowed to
   * an owner and `serial < $1`. The limit follows.
   */
  readonly sides: readonly string[];
  /** From `$2` on. */
  readonly values: readonly unknown[];
  /** Conditions on the columns of these rows: SQL that is handed its parameter; those without a value are left out. */
  readonly filters: readonly (readonly [value: unknown, rule: (parameter: string) => string])[];
  readonly limit: number;
  readonly before: number | undefined;
}

export interface LookedRows<R> {
  readonly rows: R[];
  /** Where the next page goes on when this one has looked through as many rows as it may. */
  readonly looked: number | undefined;
}

/**
 * A page of rows of several sides together. It looks through so many at most, so that it costs as much in a long history
 * as in a short one, and may be short although the list goes on.
 */
export async function lookedPage<R extends { readonly serial: number }>(
  db: Db,
  { sides, values: given, filters, limit, before }: LookedList,
): Promise<LookedRows<R>> {
  const values: unknown[] = [before ?? Number.MAX_SAFE_INTEGER, ...given];
  const wanted = filters.flatMap(([value, rule]) =>
    value === undefined ? [] : [rule(`$${values.push(value)}`)],
  );
  const most = `$${values.push(limit)}`;
  const looked = wanted.length === 0 ? most : String(LOOKED_THROUGH);
  const all = sides.map((side) => `(${side} order by serial desc limit ${looked})`);
  const rows = await run<R & { looked_rows: number; looked_last: number | null }>(
    db,
    `with looked as materialized (
       select * from (${all.join(' union all ')}) sides order by serial desc limit ${looked}),
     place as (select count(*) as rows, min(serial) as last from looked)
     select found.*, place.rows as looked_rows, place.last as looked_last from place left join lateral (
       select * from looked t where ${wanted.join(' and ') || 'true'} order by serial desc limit ${most}) found on true
      order by found.serial desc`,
    values,
  );
  const [one] = rows;
  const isCut = wanted.length > 0 && one !== undefined && one.looked_rows >= LOOKED_THROUGH;
  return {
    rows: rows.filter(({ serial }) => serial !== null),
    looked: isCut ? (one.looked_last ?? undefined) : undefined,
  };
}
