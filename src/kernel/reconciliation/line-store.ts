import { type Db, run } from '../db/db.ts';
import type { Group } from './evaluate.ts';
import type { Side } from './side-store.ts';

// Each of these finds the lines it is about by the whole of their key: a join of tables that were empty when
// the statement was planned may compare every line with every other.

/** Lines in one transaction. */
const BATCH = 5000;

/** The lines of the window that follow those taken over: after the side's `after`, up to this one. */
export async function lastOfBatch(
  tx: Db,
  { rail, side, after }: Side,
): Promise<string | undefined> {
  const [row] = await run<{ upto: string | null }>(
    tx,
    `select max(line) as upto from (
       select line from reconciliation_told
       where rail = $1 and side = $2 and line > $3 order by line limit ${BATCH}) t`,
    [rail, side, after ?? ''],
  );
  return row?.upto ?? undefined;
}

/** Lines of the batch whose reference, kind or asset has changed leave their groups; answers those. */
export const removeRegrouped = (
  tx: Db,
  { rail, side, after }: Side,
  upto: string,
): Promise<Group[]> =>
  run<Group>(
    tx,
    `delete from reconciliation_lines where rail = $1 and side = $2 and line = any(array(
       select t.line from reconciliation_told t
       where rail = $1 and side = $2 and line > $3 and line <= $4
         and (select (l.reference, l.kind, l.asset) <> (t.reference, t.kind, t.asset)
           from reconciliation_lines l where l.rail = $1 and l.side = $2 and l.line = t.line)))
     returning reference, kind, asset`,
    [rail, side, after ?? '', upto],
  );

/**
 * Adds the batch's lines to the others. Answers the groups of several lines in which one is new or changed:
 * a line that is reported again unchanged changes nothing, and one that is alone waits for its other
 * side. A line from before the time that settled lines are kept for may have been settled, so it only
 * counts where its group is still open.
 */
export const addLines = (
  tx: Db,
  { rail, side, after }: Side,
  { upto, keptFrom }: { readonly upto: string; readonly keptFrom: Date },
): Promise<Group[]> =>
  run<Group>(
    tx,
    `with joined as (
       insert into reconciliation_lines as l
         (rail, side, line, reference, kind, asset, units, at, client_id, state)
       select rail, side, line, reference, kind, asset, units, at, client_id, 'WAITING'
       from reconciliation_told t
       where rail = $1 and side = $2 and line > $3 and line <= $4
         and (at >= $5 or exists (
           select from reconciliation_lines o
           where o.rail = t.rail and o.reference = t.reference and o.kind = t.kind
             and o.asset = t.asset and o.state <> 'SETTLED'))
       on conflict (rail, side, line) do update
         set units = excluded.units, at = excluded.at, client_id = excluded.client_id, state = 'WAITING'
         where (l.units, l.at) <> (excluded.units, excluded.at)
       returning line, reference, kind, asset
     )
     select distinct reference, kind, asset from joined j
     where (select true from reconciliation_lines o
       where o.rail = $1 and o.reference = j.reference and o.kind = j.kind and o.asset = j.asset
         and (o.side, o.line) <> ($2, j.line) limit 1)
       or (select true from reconciliation_lines o
         where o.rail = $1 and o.side = $2 and o.line = j.line)`,
    [rail, side, after ?? '', upto, keptFrom.toISOString()],
  );

/** Deletes a batch of open lines that their window no longer reports; answers their groups. */
export const withdrawLines = (tx: Db, side: Side): Promise<Group[]> =>
  run<Group>(
    tx,
    `delete from reconciliation_lines where rail = $1 and side = $2 and line = any(array(
       select line from reconciliation_lines l
       where rail = $1 and side = $2 and state in ('WAITING', 'BROKEN') and state <> 'SETTLED'
         and at >= $3 and at < $4
         and (select t.line from reconciliation_told t
           where t.rail = $1 and t.side = $2 and t.line = l.line) is null
       limit ${BATCH}))
     returning reference, kind, asset`,
    [side.rail, side.side, side.window_from, side.window_to],
  );

/** Where a batch of open lines ended. */
interface LinePlace {
  readonly at: string;
  readonly line: string;
}

/** A batch of a side's open lines older than `until`, whose other side should be reported by now. */
export const listDue = (
  tx: Db,
  { rail, side }: Pick<Side, 'rail' | 'side'>,
  { until, after }: { readonly until: Date; readonly after: LinePlace | undefined },
): Promise<(Group & LinePlace)[]> =>
  run(
    tx,
    `select reference, kind, asset, at, line from reconciliation_lines
     where rail = $1 and side = $2 and state = 'WAITING' and state <> 'SETTLED' and at <= $3
       and (at, line) > ($4::timestamptz, $5::text)
     order by at, line limit ${BATCH}`,
    [rail, side, until.toISOString(), after?.at ?? '-infinity', after?.line ?? ''],
  );

/** Forgets a batch of settled lines of that long ago; answers how many. */
export async function forgetLines(db: Db, rail: string, before: Date): Promise<number> {
  const rows = await run(
    db,
    `delete from reconciliation_lines where ctid = any(array(
       select ctid from reconciliation_lines
       where rail = $1 and at < $2 and state = 'SETTLED' limit ${BATCH}))
     and state = 'SETTLED' returning 1`,
    [rail, before.toISOString()],
  );
  return rows.length;
}
