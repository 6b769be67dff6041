import type { Transaction } from 'kysely';
import { type Db, run, runLast } from '../db/db.ts';
import type { Row } from '../db/row.ts';
import type { DB } from '../db/schema.generated.ts';
import type { BookLine, BookPage, BookWindow } from './rail.ts';

export type SideName = 'OURS' | 'THEIRS';

/** How far one side of a rail has been read, and the pass in progress. */
export type Side = Omit<Row<'reconciliation_sides'>, 'side' | 'phase' | 'again_day'> & {
  readonly side: SideName;
  readonly phase: 'IDLE' | 'READING' | 'TAKING_OVER';
  readonly again_day: string | null;
};

/** Makes both sides of a rail that is seen for the first time, to be read from `since` on. */
export async function openSides(
  db: Db,
  rail: string,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<void> {
  await run(
    db,
    `insert into reconciliation_sides (rail, side, since, told_until, again_at, again_some_at)
     select $1, side, $2, $2, $3, $3 from unnest(array['OURS', 'THEIRS']) side
     on conflict (rail, side) do nothing`,
    [rail, since.toISOString(), now.toISOString()],
  );
}

const COLUMNS = `rail, side, since, told_until, phase, pass, began_at, window_from, window_to, after,
  pages, is_again, again_day::text, again_began, again_all, again_at, again_some_at, failed_at, failure`;

export async function loadSide(db: Db, rail: string, side: SideName): Promise<Side> {
  const [row] = await run<Side>(
    db,
    `select ${COLUMNS} from reconciliation_sides where rail = $1 and side = $2`,
    [rail, side],
  );
  if (row === undefined) throw new Error(`The rail ${rail} was not opened`);
  return row;
}

/** Locks both sides of a rail until the transaction ends, for conclusions from its lines. */
export async function lockRail(tx: Db, rail: string): Promise<Record<SideName, Side>> {
  const rows = await run<Side>(
    tx,
    `select ${COLUMNS} from reconciliation_sides where rail = $1 order by side for update`,
    [rail],
  );
  const [OURS, THEIRS] = rows;
  if (OURS?.side !== 'OURS' || THEIRS?.side !== 'THEIRS')
    throw new Error(`The rail ${rail} was not opened`);
  return { OURS, THEIRS };
}

/** A side's state as it was read: what is written because of it is written only while it is unchanged. */
type SideState = Pick<Side, 'rail' | 'side' | 'pass' | 'phase' | 'after' | 'pages'>;

const STANDING_SQL = `rail = $1 and side = $2 and pass = $3 and phase = $4 and after is not distinct from $5
  and pages = $6`;
const stateOf = ({ rail, side, pass, phase, after, pages }: SideState) =>
  [rail, side, pass, phase, after, pages] as const;

/** A window to be read next. */
export interface NextPass extends BookWindow {
  /** It is one of the days that are read once more: of all that should be, or of some. */
  readonly again?: 'all' | 'some';
}

/**
 * What a step has made of a side, so that no process has to load it again. Nothing where another process had changed
 * the side before: then the step has written nothing.
 */
export type Stepped = Promise<Side | undefined>;

/** Begins a window; what an earlier one left untold is forgotten. */
export async function beginPass(db: Db, side: SideState, next: NextPass, at: Date): Stepped {
  const [begun] = await run<Side>(
    db,
    `with begun as (
       update reconciliation_sides
       set phase = 'READING', pass = pass + 1, began_at = $7, window_from = $8, window_to = $9,
         after = null, pages = 0, is_again = $10,
         again_began = case when $10 then coalesce(again_began, $7) else again_began end,
         again_all = case when $10 then $11 else again_all end
       where ${STANDING_SQL} returning *
     ), untold as (
       delete from reconciliation_told t using begun b where t.rail = b.rail and t.side = b.side
     )
     select ${COLUMNS} from begun`,
    [
      ...stateOf(side),
      at.toISOString(),
      next.from.toISOString(),
      next.to.toISOString(),
      next.again !== undefined,
      next.again === 'all',
    ],
  );
  return begun;
}

/** The days have been read again. */
export async function endRepetition(
  db: Db,
  side: SideState,
  isAll: boolean,
  now: Date,
): Promise<void> {
  await run(
    db,
    `update reconciliation_sides
     set again_some_at = coalesce(again_began, $7), again_began = null, again_day = null,
       again_at = case when $8 then coalesce(again_began, $7) else again_at end
     where ${STANDING_SQL}`,
    [...stateOf(side), now.toISOString(), isAll],
  );
}

/** Goes on to the next page, or to taking the window over: what a page without lines comes to. */
export async function passPage(db: Db, side: SideState, { next }: Pick<BookPage, 'next'>): Stepped {
  const [passed] = await run<Side>(
    db,
    `update reconciliation_sides
     set after = $7, phase = $8, pages = pages + 1, failed_at = null, failure = null
     where ${STANDING_SQL} returning ${COLUMNS}`,
    [...stateOf(side), next ?? null, next === undefined ? 'TAKING_OVER' : 'READING'],
  );
  return passed;
}

/**
 * Stores the lines of a page that the side has passed in this transaction; answers how many of them are new in
 * this window.
 */
export async function storeLines(
  tx: Db,
  side: SideState,
  lines: readonly BookLine[],
): Promise<number> {
  const unlike = [...new Map(lines.map((line) => [line.line, line])).values()];
  const [stored] = await run<{ fresh: number }>(tx, STORE_PAGE, [
    side.rail,
    side.side,
    unlike.map(({ line }) => line),
    unlike.map(({ reference }) => reference),
    unlike.map(({ kind }) => kind),
    unlike.map(({ asset }) => asset),
    unlike.map(({ units }) => String(units)),
    unlike.map(({ at }) => at.toISOString()),
    unlike.map(({ clientId }: BookLine) => clientId ?? null),
  ]);
  return stored?.fresh ?? 0;
}

const STORE_PAGE = `
  with reported as (
    insert into reconciliation_told as t
      (rail, side, line, reference, kind, asset, units, at, client_id)
    select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::numeric[],
      $8::timestamptz[], $9::integer[])
    on conflict (rail, side, line) do update
      set reference = excluded.reference, kind = excluded.kind, asset = excluded.asset,
        units = excluded.units, at = excluded.at
    returning xmax = 0 as is_fresh
  )
  select count(*) filter (where is_fresh) as fresh from reported`;

/** The side could not be read; the pass goes on from the same page later. */
export async function recordFailure(db: Db, side: SideState, why: string, at: Date): Promise<void> {
  await run(
    db,
    `update reconciliation_sides set failed_at = coalesce(failed_at, $7), failure = $8
     where ${STANDING_SQL}`,
    [...stateOf(side), at.toISOString(), why.slice(0, 200)],
  );
}

/** Discards what was read of the window: it will be read from its beginning. */
export async function refusePass(db: Db, side: SideState, why: string, at: Date): Promise<void> {
  await run(
    db,
    `with refused as (
       update reconciliation_sides
       set phase = 'IDLE', window_from = null, window_to = null, began_at = null, after = null, pages = 0,
         failed_at = coalesce(failed_at, $7), failure = $8
       where ${STANDING_SQL} returning rail, side
     )
     delete from reconciliation_told t using refused r where t.rail = r.rail and t.side = r.side`,
    [...stateOf(side), at.toISOString(), why.slice(0, 200)],
  );
}

/** The window's lines up to that one are taken over. */
export async function moveOn(tx: Db, side: SideState, upto: string): Stepped {
  const [moved] = await run<Side>(
    tx,
    `update reconciliation_sides set after = $7 where ${STANDING_SQL} returning ${COLUMNS}`,
    [...stateOf(side), upto],
  );
  return moved;
}

/** The window was read to its end and taken over: the last that its transaction does. */
export async function endPass(tx: Transaction<DB>, side: SideState): Stepped {
  const [ended] = await runLast<Side>(
    tx,
    `with gone as (delete from reconciliation_told where rail = $1 and side = $2)
     update reconciliation_sides
     set phase = 'IDLE', told_until = greatest(told_until, window_to),
       again_day = case when is_again then (window_from at time zone 'UTC')::date else again_day end,
       window_from = null, window_to = null, began_at = null, after = null, pages = 0
     where ${STANDING_SQL} returning ${COLUMNS}`,
    [...stateOf(side)],
  );
  return ended;
}
