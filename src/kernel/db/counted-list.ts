import { type Db, run } from './db.ts';

/**
 * A list whose rows triggers of its table number for each owner without a gap, and count by the values of its
 * filters (migration 0054). Newest first. A row without a number is in no list. Its table has the columns `user_id`, `ordinal` and `created_at`, and
 * the indexes (user_id, ...facets, ordinal) and (user_id, created_at, ordinal).
 */
export interface CountedList {
  /** In `list_counts`, which is also the name of its table unless it says another. */
  readonly name: string;
  readonly table?: string;
  /** The statement that reads its rows, where they need more than the table: `select … from <table> t …`. */
  readonly shown?: string;
  /** The columns whose values are counted, in the order of their index. */
  readonly facets: readonly string[];
  /** Columns with an index that hold references of a row; few rows have one in common. */
  readonly references: readonly string[];
}

/** The rows of one owner. */
export interface CountedRows {
  readonly list: CountedList;
  readonly owner: number;
}

/** The filters of a page; an undefined one matches all rows. */
export interface ListRequest {
  readonly facets?: Readonly<Record<string, string | undefined>>;
  readonly reference?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

export interface ListOffset {
  readonly limit: number;
  readonly offset: number;
}

export interface CountedPage<Row> {
  readonly rows: Row[];
  /** Of all pages. Where rows have to be counted one by one, at most `WALK_MAX`. */
  readonly total: number;
  readonly has_more: boolean;
}

/** The furthest scan: a page of filtered rows begins at most so far from the newest. */
export const SCAN_ROWS_MAX = 10_000;

/** Whether that page needs a scan, and one that is too long. */
export const isTooFar = ({ offset }: ListOffset, request: ListRequest): boolean =>
  offset > SCAN_ROWS_MAX && (request.reference !== undefined || isFiltered(request));

const isFiltered = ({ facets = {} }: ListRequest): boolean =>
  Object.values(facets).some((value) => value !== undefined);

/** A page, newest first. It costs as much for many rows as for few, and however deep it is. */
export async function pageOfCountedList<Row>(
  db: Db,
  of: CountedRows,
  place: ListOffset,
  request: ListRequest = {},
): Promise<CountedPage<Row>> {
  if (request.reference !== undefined) return pageByReference(db, of, place, request);
  const span = await spanOf(db, of, request);
  return isFiltered(request)
    ? pageOfFiltered(db, of, place, { ...request, span })
    : pageOfAll(db, of, place, span);
}

/** How many rows of an owner have these values, or how many rows the owner has. */
export async function countOfCountedList(
  db: Db,
  { list, owner }: CountedRows,
  facets: ListRequest['facets'] = {},
): Promise<number> {
  const values: unknown[] = [list.name, owner];
  const wanted = isFiltered({ facets }) ? facetClause(list, facets, values) : " and facet = '{}'";
  const [row] = await run<{ n: number }>(
    db,
    `select coalesce(sum(n), 0)::bigint as n from list_counts c
     where list = $1 and owner = $2${wanted}`,
    values,
  );
  return row?.n ?? 0;
}

/** The numbers of the oldest and the newest matching row; the oldest is above the newest where none matches. */
export interface Span {
  readonly first: number;
  readonly last: number;
  /** Whether newer or older ones were left out. */
  readonly isNewest: boolean;
  readonly isOldest: boolean;
}

const tableOf = ({ table, name }: CountedList): string => table ?? name;
const shownOf = (list: CountedList): string => list.shown ?? `select t.* from ${tableOf(list)} t`;

/** The end of a millisecond that is included: times are shown to the millisecond, and stored to the microsecond. */
export const endOfMillisecond = (at: string): string =>
  `(${at}::timestamptz + interval '1 millisecond')`;

/** Rows have numbers in the order of their times, so a span of time is a span of numbers. */
async function spanOf(db: Db, { list, owner }: CountedRows, request: ListRequest): Promise<Span> {
  const { created_from, created_to } = request;
  const values: unknown[] = [owner];
  const clause = (value: unknown) => `$${values.push(value)}`;
  const edge = (rule: string, order: string) =>
    `(select ordinal from ${tableOf(list)} where user_id = $1 and ordinal is not null and created_at ${rule}
      order by created_at ${order}, ordinal ${order} limit 1)`;
  const first = created_from === undefined ? '1' : edge(`>= ${clause(created_from)}`, 'asc');
  const last =
    created_to === undefined
      ? `(select n from list_counts where list = ${clause(list.name)} and owner = $1 and facet = '{}')`
      : edge(`< ${endOfMillisecond(clause(created_to))}`, 'desc');
  const [row] = await run<{ first: number | null; last: number | null }>(
    db,
    `select ${first}::bigint as first, ${last}::bigint as last`,
    values,
  );
  return {
    first: row?.first ?? Number.MAX_SAFE_INTEGER,
    last: row?.last ?? 0,
    isNewest: created_to === undefined,
    isOldest: created_from === undefined,
  };
}

/** A page of all rows begins at its number. */
async function pageOfAll<Row>(
  db: Db,
  { list, owner }: CountedRows,
  { limit, offset }: ListOffset,
  { first, last }: Span,
): Promise<CountedPage<Row>> {
  const total = Math.max(0, last - first + 1);
  const rows = await run<Row>(
    db,
    `${shownOf(list)} where t.user_id = $1 and t.ordinal between $2 and $3
     order by t.ordinal desc limit $4`,
    [owner, first, last - offset, limit],
  );
  return { rows, total, has_more: offset + rows.length < total };
}

interface FilteredSpan {
  readonly span: Span;
  readonly facets?: ListRequest['facets'];
}

/** Scans each combination of values in its index, no further than the page, and merges the results. */
async function pageOfFiltered<Row>(
  db: Db,
  of: CountedRows,
  { limit, offset }: ListOffset,
  { span, facets = {} }: FilteredSpan,
): Promise<CountedPage<Row>> {
  const { list, owner } = of;
  const values: unknown[] = [list.name, owner, span.first, span.last, offset + limit + 1];
  const scanned = scan(list, facets, values);
  const page = [`$${values.push(limit + 1)}`, `$${values.push(offset)}`];
  const found = run<Row>(
    db,
    `with page as materialized (${scanned} order by ordinal desc limit ${page[0]} offset ${page[1]})
     ${shownOf(list)} where t.user_id = $2 and t.ordinal = any(array(select ordinal from page))
     order by t.ordinal desc`,
    values,
  );
  const [rows, total] = await Promise.all([found, totalOfFiltered(db, of, span, facets)]);
  return { rows: rows.slice(0, limit), total, has_more: rows.length > limit };
}

/** The numbers between $3 and $4 of $2's rows with these values, at most $5 of each combination. */
function scan(list: CountedList, facets: ListRequest['facets'], values: unknown[]): string {
  const same = list.facets.map((column, n) => ` and ${column} = c.facet[${n + 1}]`).join('');
  return `select w.ordinal from list_counts c cross join lateral (
      select ordinal from ${tableOf(list)}
      where user_id = c.owner${same} and ordinal between $3 and $4 order by ordinal desc limit $5) w
    where c.list = $1 and c.owner = $2 and c.n > 0${facetClause(list, facets, values)}`;
}

function facetClause(
  list: CountedList,
  facets: ListRequest['facets'] = {},
  values: unknown[],
): string {
  const clauses = list.facets.flatMap((column, n) =>
    facets[column] === undefined
      ? []
      : [` and c.facet[${n + 1}] = $${values.push(facets[column])}`],
  );
  return ` and c.facet <> '{}'${clauses.join('')}`;
}

/** By the counters, less the newer rows; only rows between two times are counted one by one. */
async function totalOfFiltered(
  db: Db,
  of: CountedRows,
  span: Span,
  facets: ListRequest['facets'],
): Promise<number> {
  if (!span.isOldest) return countBetween(db, of, span, facets);
  const all = await countOfCountedList(db, of, facets);
  if (span.isNewest) return all;
  const above = { first: span.last + 1, last: Number.MAX_SAFE_INTEGER };
  const newer = await countBetween(db, of, above, facets);
  return newer < SCAN_ROWS_MAX ? all - newer : countBetween(db, of, span, facets);
}

async function countBetween(
  db: Db,
  { list, owner }: CountedRows,
  { first, last }: Pick<Span, 'first' | 'last'>,
  facets: ListRequest['facets'],
): Promise<number> {
  const values: unknown[] = [list.name, owner, first, last, SCAN_ROWS_MAX];
  const [row] = await run<{ n: number }>(
    db,
    `select count(*) as n from (${scan(list, facets, values)} limit $5) w`,
    values,
  );
  return row?.n ?? 0;
}

/** Few rows have one reference, so all of them are read, with any other filter. */
async function pageByReference<Row>(
  db: Db,
  { list, owner }: CountedRows,
  { limit, offset }: ListOffset,
  { reference, facets = {}, created_from, created_to }: ListRequest,
): Promise<CountedPage<Row>> {
  const values: unknown[] = [owner, reference];
  const clause = (rule: string, value: unknown) =>
    value === undefined ? '' : ` and ${rule} $${values.push(value)}`;
  const more = [
    ...list.facets.map((column) => clause(`t.${column} =`, facets[column])),
    clause('t.created_at >=', created_from),
    created_to === undefined
      ? ''
      : ` and t.created_at < ${endOfMillisecond(`$${values.push(created_to)}`)}`,
  ].join('');
  const named = list.references.map((column) => `t.${column} = $2`).join(' or ');
  const found = await run<Row>(
    db,
    `${shownOf(list)} where (${named}) and t.user_id = $1 and t.ordinal is not null${more}
     order by t.ordinal desc limit ${SCAN_ROWS_MAX}`,
    values,
  );
  const rows = found.slice(offset, offset + limit);
  return { rows, total: found.length, has_more: offset + rows.length < found.length };
}
