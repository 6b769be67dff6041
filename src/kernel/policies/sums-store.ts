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

/**
 * Adds to a sum where it stays within the limit; answers what it was before. False, without adding, where it does not:
 * the check is the write's condition, so that no number of payments at once passes it.
 */
export async function takeFromLimit(
  tx: Db,
  { tally, subject, starts, amount, count, most, of }: LimitedTaking,
): Promise<{ readonly taken: boolean; readonly used: bigint }> {
  const added = of === 'amount' ? '$4::numeric' : '$5::bigint';
  const [row] = await run<{ used: bigint }>(
    tx,
    `insert into policy_sums as s (tally, subject, starts, amount, count)
     select $1, $2, $3::timestamptz, $4::numeric, $5::bigint where ${added} <= $6::numeric
     on conflict (tally, subject, starts)
       do update set amount = s.amount + excluded.amount, count = s.count + excluded.count
       where s.${of} + excluded.${of} <= $6::numeric
     returning (${of} - ${added})::numeric as used`,
    [tally, subject, starts, amount, count, most.toString()],
  );
  if (row) return { taken: true, used: row.used };
  return { taken: false, used: await usedOf(tx, { tally, subject, starts }, of) };
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
  const sorted = [...taken].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  for (const { tally, subject, starts, amount, count } of sorted)
    await run(
      tx,
      `update policy_sums set amount = amount - $4::numeric, count = count - $5::bigint
        where tally = $1 and subject = $2 and starts = $3::timestamptz`,
      [tally, subject, starts, amount, count],
    );
}

const orderOf = ({ tally, subject }: SumTaking): string => `${tally} ${subject}`;

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
