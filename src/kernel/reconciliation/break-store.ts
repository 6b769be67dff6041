import { type Db, run } from '../db/db.ts';
import type { Row } from '../db/row.ts';
import { AGAIN_MAX_DAYS, YOUNG_DAYS } from './pass.ts';
import type { Side } from './side-store.ts';

export const CAUSES = [
  'MISSING_AT_PROVIDER',
  'MISSING_IN_OUR_BOOKS',
  'AMOUNT_DIFFERS',
  'DAY_DIFFERS',
  'DOUBLED_AT_PROVIDER',
  'DOUBLED_IN_OUR_BOOKS',
] as const;
export type ReconciliationCause = (typeof CAUSES)[number];
export const BREAK_STATES = ['OPEN', 'EXPLAINED', 'RESOLVED'] as const;
export type BreakState = (typeof BREAK_STATES)[number];

export type Break = Omit<Row<'reconciliation_breaks'>, 'cause' | 'state' | 'history'> & {
  readonly cause: ReconciliationCause;
  readonly state: BreakState;
  readonly history: readonly Readonly<Record<string, unknown>>[];
};

/**
 * The first day, from the one after the last that was read again, that has a break: one that is young, or,
 * where all days are read again, any or neighbours one.
 */
export async function nextDayWithBreak(
  db: Db,
  { rail, again_day }: Pick<Side, 'rail' | 'again_day'>,
  { again, now }: { readonly again: 'all' | 'some'; readonly now: Date },
): Promise<Date | undefined> {
  const [row] = await run<{ day: string | null }>(
    db,
    `with next as (
       select greatest($2::date + 1, ($3::timestamptz at time zone 'UTC')::date - $4::integer) as day
     )
     select min(greatest((dated at time zone 'UTC')::date - $5::integer, next.day))::text as day
     from reconciliation_breaks b cross join next
       cross join unnest(array[b.our_at, b.their_at]) dated
     where b.rail = $1 and b.state <> 'RESOLVED'
       and b.found_at >= $3::timestamptz - $6::integer * interval '1 day'
       and (dated at time zone 'UTC')::date + $5::integer >= next.day`,
    again === 'all'
      ? [rail, again_day, now.toISOString(), AGAIN_MAX_DAYS, 1, FOREVER_DAYS]
      : [rail, again_day, now.toISOString(), AGAIN_MAX_DAYS, 0, YOUNG_DAYS],
  );
  return row?.day ? new Date(row.day) : undefined;
}

const FOREVER_DAYS = 36_500;

export interface BreakFilter {
  /** Only what is this client's. */
  readonly client_id: number | undefined;
  readonly rail: string | undefined;
  readonly state: BreakState | undefined;
  readonly cause: ReconciliationCause | undefined;
  /** Found from then on, and before that. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

const IDS_MAX = Number.MAX_SAFE_INTEGER;

/**
 * Newest first, before a given one. Of each rail, state and cause no more than a page is read, by one index.
 * Numbers are in the order of `found_at` but for moments, so that times are found by them.
 */
export async function listBreaks(db: Db, filter: BreakFilter): Promise<Break[]> {
  const { client_id, rail, state, cause, from, to, before = IDS_MAX, limit } = filter;
  const values: unknown[] = [
    rail ?? null,
    state === undefined ? BREAK_STATES : [state],
    cause === undefined ? CAUSES : [cause],
    before,
    limit,
  ];
  const asked = (rule: (value: string) => string, value: unknown) =>
    value === undefined ? '' : ` and ${rule(`$${values.push(value)}`)}`;
  const narrowed = [
    asked((value) => `client_id = ${value}`, client_id),
    asked((value) => `found_at >= ${value} and break_id >= ${edgeOf('>=', value)}`, from),
    asked((value) => `found_at < ${value} and break_id <= ${edgeOf('<', value)}`, to),
  ].join('');
  return run<Break>(
    db,
    `select b.* from (select distinct rail from reconciliation_sides where $1::text is null or rail = $1) r
     cross join unnest($2::text[]) s cross join unnest($3::text[]) c
     cross join lateral (
       select * from reconciliation_breaks
       where rail = r.rail and state = s and cause = c and break_id < $4${narrowed}
       order by break_id desc limit $5) b
     order by b.break_id desc limit $5`,
    values,
  );
}

/** The number of the first break from an hour before that time on, or of the last until an hour after it. */
function edgeOf(rule: '>=' | '<', value: string): string {
  const [hour, order] = rule === '>=' ? ['-', 'asc'] : ['+', 'desc'];
  return `(select break_id from reconciliation_breaks
    where found_at ${rule} ${value}::timestamptz ${hour} interval '1 hour'
    order by found_at ${order}, break_id ${order} limit 1)`;
}

/** Records a person's explanation of an open break. Nothing where no such break is open. */
export async function explainBreak(
  db: Db,
  break_id: number,
  by: { readonly user_id: number; readonly note: string },
): Promise<Break | undefined> {
  const [row] = await run<Break>(
    db,
    `update reconciliation_breaks
     set state = 'EXPLAINED', note = $2, explained_by = $3, changed_at = service_now(),
       history = history || jsonb_build_array(jsonb_build_object(
         'at', service_now(), 'state', 'EXPLAINED', 'note', $2::text, 'user_id', $3::integer))
     where break_id = $1 and state <> 'RESOLVED'
     returning *`,
    [break_id, by.note, by.user_id],
  );
  return row;
}

export interface OpenBreaks {
  readonly rail: string;
  readonly cause: ReconciliationCause;
  readonly open: number;
  readonly oldest_s: number;
}

/** The unexplained breaks, by rail and cause. */
export const openBreaks = (db: Db): Promise<OpenBreaks[]> =>
  run<OpenBreaks>(
    db,
    `select rail, cause, count(*) as open,
       greatest(extract(epoch from service_now() - min(found_at)), 0)::float8 as oldest_s
     from reconciliation_breaks where state = 'OPEN' group by rail, cause order by rail, cause`,
    [],
  );

export interface RailProgress {
  readonly rail: string;
  /** Both sides have reported everything before it, and it was compared. */
  readonly compared_until: string;
  readonly ours_until: string;
  readonly theirs_until: string;
  /** Since when a side cannot be read, and why. */
  readonly failing_since: string | null;
  readonly failure: string | null;
}

/** How far each of those rails is compared. */
export const railProgress = (db: Db, rails: readonly string[]): Promise<RailProgress[]> =>
  run<RailProgress>(
    db,
    `select rail, min(told_until) as compared_until,
       min(told_until) filter (where side = 'OURS') as ours_until,
       min(told_until) filter (where side = 'THEIRS') as theirs_until,
       min(failed_at) as failing_since,
       string_agg(side || ': ' || failure, '; ') as failure
     from reconciliation_sides where rail = any($1::text[]) group by rail order by rail`,
    [rails],
  );

/** The latest differences of that reference, newest first. */
export const breaksCalled = (db: Db, reference: string, limit: number): Promise<Break[]> =>
  run<Break>(
    db,
    'select * from reconciliation_breaks where reference = $1 order by break_id desc limit $2',
    [reference, limit],
  );

export async function breaksOf(db: Db, ids: readonly number[]): Promise<Break[]> {
  const rows = await db
    .selectFrom('reconciliation_breaks')
    .selectAll()
    .where('break_id', '=', ({ fn, val }) => fn.any(val([...ids])))
    .orderBy('break_id')
    .execute();
  return rows as unknown as Break[];
}
