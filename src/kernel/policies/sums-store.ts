import { type Db, run } from '../db/db.ts';
import { WINDOWS, type Window } from './policy.ts';

/** What a decision adds to one sum. */
export interface SumTaking {
  readonly tally: string;
  readonly subject: string;
  /** The beginning of the window, ISO 8601. */
  readonly starts: string;
  /** Whole units, as text. */
  readonly amount: string;
  readonly count: number;
}

/** The sums of all that a user does, which expressions see; they are changed before those of policies. */
export const USER_TALLIES = ['all:1d', 'all:1h', 'all:30d'] as const;

/** A Monday. */
const ORIGIN_MS = Date.UTC(2001, 0, 1);

/** When the window of that time began, and when it ends. */
export function windowAt(window: Window, at: Date): { readonly starts: Date; readonly ends: Date } {
  const ms = WINDOWS[window] * 1000;
  const starts = ORIGIN_MS + Math.floor((at.getTime() - ORIGIN_MS) / ms) * ms;
  return { starts: new Date(starts), ends: new Date(starts + ms) };
}

/** A sum of a limit, and the most that it may become; one of the two is counted. */
export interface LimitedTaking extends SumTaking {
  readonly most: bigint;
  readonly of: 'amount' | 'count';
}

/** What a limit said to one taking. */
export interface LimitAnswer<T extends LimitedTaking> {
  readonly taking: T;
  readonly taken: boolean;
  /** In the units that it counts, before. */
  readonly used: bigint;
}

/**
 * Adds to the sums of one limit where each stays within it; answers what they were before, in the order of the takings.
 * The check is the write's condition, so that no number of payments at once passes a limit. Subjects are different ones,
 * in their order, so that operations wait for each other in one direction.
 */
export async function takeFromLimit<T extends LimitedTaking>(
  tx: Db,
  takings: readonly T[],
): Promise<LimitAnswer<T>[]> {
  const [first] = takings;
  if (!first) return [];
  const { tally, starts, most, of } = first;
  const rows = await run<{ subject: string; used: bigint }>(
    tx,
    `with given as (select * from unnest($3::text[], $4::numeric[], $5::bigint[]) as g (subject, amount, count)),
     taken as (
       insert into policy_sums as s (tally, subject, starts, amount, count)
       select $1, subject, $2::timestamptz, amount, count from given where ${of} <= $6::numeric
         order by subject collate "C"
       on conflict (tally, subject, starts)
         do update set amount = s.amount + excluded.amount, count = s.count + excluded.count
         where s.${of} + excluded.${of} <= $6::numeric
       returning subject, ${of} as now)
     select subject, (t.now - g.${of})::numeric as used from taken t join given g using (subject)`,
    [
      ...[tally, starts, takings.map(({ subject }) => subject)],
      ...[takings.map(({ amount }) => amount), takings.map(({ count }) => count), most.toString()],
    ],
  );
  const used = new Map(rows.map((row) => [row.subject, row.used]));
  const answers: LimitAnswer<T>[] = [];
  for (const taking of takings) {
    const before = used.get(taking.subject);
    answers.push({
      taking,
      taken: before !== undefined,
      used: before ?? (await usedOf(tx, taking, of)),
    });
    // The first that does not fit decides: what the others stand at is not asked.
    if (before === undefined) break;
  }
  return answers;
}

/** What has been used of a limit in a window. */
export async function usedOf(
  db: Db,
  { tally, subject, starts }: Pick<SumTaking, 'tally' | 'subject' | 'starts'>,
  of: 'amount' | 'count',
): Promise<bigint> {
  const [row] = await run<{ used: bigint }>(
    db,
    `select ${of}::numeric as used from policy_sums
      where tally = $1 and subject = $2 and starts = $3::timestamptz`,
    [tally, subject, starts],
  );
  return row?.used ?? 0n;
}

/** Gives back what a decision took, in the order of the sums, as decisions take them. */
export async function giveBackSums(tx: Db, taken: readonly SumTaking[]): Promise<void> {
  await run(
    tx,
    `with given as (
       select * from jsonb_to_recordset($1::jsonb)
         as g (tally text, subject text, starts timestamptz, amount numeric, count bigint)),
     locked as (
       select s.tally, s.subject, s.starts, g.amount, g.count from policy_sums s
         join given g using (tally, subject, starts)
         order by s.tally collate "C", s.subject collate "C" for update of s)
     update policy_sums s set amount = s.amount - l.amount, count = s.count - l.count
       from locked l where s.tally = l.tally and s.subject = l.subject and s.starts = l.starts`,
    [JSON.stringify(taken)],
  );
}

/** Sums of windows that ended so long ago that nothing is given back to them. */
export async function forgetSums(tx: Db, before: Date, limit: number): Promise<number> {
  const rows = await run(
    tx,
    `delete from policy_sums where ctid = any (array(
       select ctid from policy_sums where starts < $1::timestamptz order by starts limit $2)) returning 1`,
    [before.toISOString(), limit],
  );
  return rows.length;
}
