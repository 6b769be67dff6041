import { type Db, run } from '../db/db.ts';
import { type BreakOutcome, emitBreaks } from './break-events.ts';

/** What both sides call one movement; every line of it is weighed together. */
export interface Group {
  readonly reference: string;
  readonly kind: string;
  readonly asset: string;
}

export interface ReconciliationTerms {
  readonly rail: string;
  readonly toleranceUnits: bigint;
  readonly daysApart: number;
  /** Up to when a line of ours must have its other side; of theirs likewise. */
  readonly oursDue: Date;
  readonly theirsDue: Date;
  /** The other side of a lone line older than this is on a page that was never read. */
  readonly from: Date;
  readonly now: Date;
}

export interface Evaluation {
  readonly found: number;
  readonly resolved: number;
}

/**
 * Weighs groups: pairs their lines, writes down what is left over or differs as breaks, once each, and
 * resolves the breaks that are no more. One statement, under the rail's lock; weighing again changes nothing.
 */
export async function evaluate(
  tx: Db,
  terms: ReconciliationTerms,
  groups: readonly Group[],
): Promise<Evaluation> {
  if (groups.length === 0) return { found: 0, resolved: 0 };
  const written = await run<BreakOutcome>(tx, EVALUATE, [
    terms.rail,
    groups.map(({ reference }) => reference),
    groups.map(({ kind }) => kind),
    groups.map(({ asset }) => asset),
    String(terms.toleranceUnits),
    terms.daysApart,
    terms.oursDue.toISOString(),
    terms.theirsDue.toISOString(),
    terms.from.toISOString(),
    terms.now.toISOString(),
  ]);
  await emitBreaks(tx, written, terms.now);
  const count = (wanted: BreakOutcome['became']) =>
    written.filter(({ became }) => became === wanted).length;
  return { found: count('found'), resolved: count('resolved') };
}

/**
 * All lines of the groups, counted rather than joined: what a plan makes of joins within a statement
 * depends on statistics that a new table has not. Equal amounts meet first, the first of ours the first of
 * theirs; of what is left the smallest of ours meets the smallest of theirs, and so on.
 */
const LINES = `
  asked as materialized (
    select distinct * from unnest($2::text[], $3::text[], $4::text[]) g (reference, kind, asset)
  ), counted as (
    select reference, kind, asset, l.side, l.line, l.units, l.at, l.client_id,
      row_number() over (partition by reference, kind, asset, l.side, l.units order by l.at, l.line) as nth,
      count(*) filter (where l.side = 'OURS') over same as ours,
      count(*) filter (where l.side = 'THEIRS') over same as theirs
    from asked join reconciliation_lines l using (reference, kind, asset) where l.rail = $1
    window same as (partition by reference, kind, asset, l.units)
  ), placed as (
    select *, nth <= least(ours, theirs) as is_equal, row_number() over (
      partition by reference, kind, asset, side, nth <= least(ours, theirs) order by units, at, line) as place
    from counted
  ), met as (
    select reference, kind, asset,
      max(line) filter (where side = 'OURS') as our_line,
      max(units) filter (where side = 'OURS') as our_units,
      max(at) filter (where side = 'OURS') as our_at,
      max(client_id) as client_id,
      max(line) filter (where side = 'THEIRS') as their_line,
      max(units) filter (where side = 'THEIRS') as their_units,
      max(at) filter (where side = 'THEIRS') as their_at
    from placed
    group by reference, kind, asset, is_equal, case when is_equal then units end,
      case when is_equal then nth else place end
  )`;

const DAY = (at: string) => `(${at} at time zone 'UTC')::date`;

/** What is not as it should be. A pair is due when either line is, a lone line when it is itself. */
const EVALUATED = `
  judged as (
    select reference, kind, asset, our_line, our_units, our_at, their_line, their_units, their_at,
      -- Also of theirs that comes twice: whose ours is.
      coalesce(client_id, max(client_id) over whole) as client_id,
      case
        when their_line is null and bool_or(their_line is not null) over whole
          then 'DOUBLED_IN_OUR_BOOKS'
        when our_line is null and bool_or(our_line is not null) over whole then 'DOUBLED_AT_PROVIDER'
        when their_line is null then case when our_at >= $9 then 'MISSING_AT_PROVIDER' end
        when our_line is null then case when their_at >= $9 then 'MISSING_IN_OUR_BOOKS' end
        when abs(our_units - their_units) > $5::numeric then 'AMOUNT_DIFFERS'
        when abs(${DAY('our_at')} - ${DAY('their_at')}) > $6::integer then 'DAY_DIFFERS'
      end as cause,
      coalesce(our_at <= $7, false) or coalesce(their_at <= $8, false) as is_due
    from met window whole as (partition by reference, kind, asset)
  ), found as materialized (
    select *, case when our_line is null then 'THEIRS' else 'OURS' end as side,
      coalesce(our_line, their_line) as line
    from judged where cause is not null and is_due
  ), verdicts as materialized (
    select reference, kind, asset, case when bool_or(cause is not null and is_due) then 'BROKEN'
      when bool_or(cause is not null) then 'WAITING' else 'SETTLED' end as state
    from judged group by reference, kind, asset
  )`;

/** Keeps its beginning and its last changes: a line that changes every hour must not grow without end. */
const KEPT_HISTORY = `
  case when jsonb_array_length(b.history) < 50 then b.history else b.history - 1 end`;

const WRITTEN = `
  standing as (
    insert into reconciliation_breaks as b
      (rail, reference, kind, asset, cause, side, line, our_line, our_units, our_at,
       their_line, their_units, their_at, client_id, found_at, changed_at, history)
    select $1, reference, kind, asset, cause, side, line, our_line, our_units, our_at,
      their_line, their_units, their_at, client_id, $10, $10,
      jsonb_build_array(jsonb_build_object('at', $10::timestamptz, 'state', 'OPEN', 'cause', cause))
    from found order by reference, kind, asset, line
    on conflict (rail, side, line) where state <> 'RESOLVED' do update
      set cause = excluded.cause, state = 'OPEN', changed_at = excluded.changed_at,
        our_line = excluded.our_line, our_units = excluded.our_units, our_at = excluded.our_at,
        their_line = excluded.their_line, their_units = excluded.their_units,
        their_at = excluded.their_at, history = ${KEPT_HISTORY} || excluded.history
      where (b.cause, b.our_line, b.our_units, b.their_line, b.their_units) is distinct from
        (excluded.cause, excluded.our_line, excluded.our_units, excluded.their_line,
         excluded.their_units)
    returning b.break_id, xmax = 0 as is_new
  ), resolved as (
    update reconciliation_breaks b
    set state = 'RESOLVED', resolved_at = $10, changed_at = $10,
      history = b.history || jsonb_build_array(jsonb_build_object(
        'at', $10::timestamptz, 'state', 'RESOLVED', 'by',
        case when exists (select from reconciliation_lines l
            where l.rail = b.rail and l.side = b.side and l.line = b.line) then 'MATCHED'
          else 'WITHDRAWN' end))
    from asked a
    where b.rail = $1 and b.reference = a.reference and b.kind = a.kind and b.asset = a.asset
      and b.state <> 'RESOLVED'
      and not exists (select from found f where f.side = b.side and f.line = b.line)
    returning b.break_id
  ), moved as (
    update reconciliation_lines l set state = v.state from verdicts v
    where l.rail = $1 and l.reference = v.reference and l.kind = v.kind and l.asset = v.asset
      and l.state <> v.state
  )`;

const EVALUATE = `
  with ${LINES}, ${EVALUATED}, ${WRITTEN}
  select break_id, case when is_new then 'found' else 'changed' end as became from standing
  union all select break_id, 'resolved' from resolved`;
