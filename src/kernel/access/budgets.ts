import type { Clock } from '../clock.ts';
import { type Db, run } from '../db/db.ts';
import { deleteInBatches } from '../db/in-batches.ts';
import type { Logger } from '../log.ts';
import { OPERATOR_CLIENT_ID } from './authenticator.ts';
import { type ApprovalState, isApprovedSql } from './requester.ts';

/** One more of something that is limited per subject. */
export interface Charge {
  /** What it is counted against: `code network/15m 198.51.100.7`. */
  readonly subject: string;
  readonly most: number;
  readonly withinMs: number;
  /** How much of it; one where nothing is said. The last who spends may go beyond `most` by that. */
  readonly units?: number;
  /**
   * Spent by many at once, who must not wait for each other; a few more than `most` may then come
   * through at the same moment. Its windows are those of the calendar, in UTC.
   */
  readonly wide?: boolean;
  /** Whether the operator is alerted when four fifths are spent, and when all is. */
  readonly alarm?: boolean;
  /** Spent only by those who are approved, or only by those who are not (see `isApproved`). */
  readonly only?: 'approved' | 'strangers';
  /** Half of `most` while another client is ACTIVE than the requester's and the operator's own: that half is theirs. */
  readonly yields?: boolean;
}

/** The charge that has no room left. */
export interface UsedUp {
  readonly charge: Charge;
  /** As many as it had for this requester. */
  readonly most: number;
  /** Seconds. */
  readonly retryAfter: number;
}

/** Counts what costs the platform money or its name, over all processes. */
export interface Budgets {
  /**
   * Spends of each, in the caller's transaction: of those that are the requester's. Where one of them
   * is used up none is spent, and the answer is how many seconds to wait.
   */
  spend(db: Db, charges: readonly Charge[], by?: ApprovalState): Promise<number | undefined>;
  /** The same; the answer names the charge that keeps the requester waiting longest. */
  take(db: Db, charges: readonly Charge[], by?: ApprovalState): Promise<UsedUp | undefined>;
}

/** How many rows share the counting of a wide one. */
const SHARDS = 16;
const ALARM_SHARE = 0.8;

interface Counted {
  /** Which of the charges it is. */
  readonly place: number;
  readonly taken: boolean;
  /** Before this one. */
  readonly used: number;
  /** Of the charge, or half of it where it yields. */
  readonly most: number;
  readonly wait_s: number;
}

export function createBudgets({
  clock,
  log,
}: {
  readonly clock: Clock;
  readonly log: Logger;
}): Budgets {
  const alerted = new Map<string, number>();

  /** Once for each window and process, since a second alert says nothing new. */
  function alert({ subject, most, withinMs }: Charge, used: number, text: string): void {
    const now = clock.now().getTime();
    for (const [old, until] of alerted) if (until <= now) alerted.delete(old);
    const key = `${text}: ${subject}`;
    if (alerted.has(key)) return;
    alerted.set(key, endOfWindow(now, withinMs));
    log.error({ budget: subject, used, most }, text);
  }

  const take: Budgets['take'] = async (db, charges, by = {}) => {
    const { client_id = null, user_id = null } = by;
    const units = charges.map((charge) => charge.units ?? 1);
    const values = [...columnsOf(charges, clock.now()), client_id, user_id, units];
    const rows = (await run<Counted>(db, SPEND, values)).map((counted) => {
      const charge = charges[counted.place];
      if (!charge) throw new Error(`Charge ${counted.place} of ${charges.length} was counted`);
      return { ...counted, charge };
    });
    for (const { charge, used, most, taken } of rows) {
      if (!charge.alarm) continue;
      if (used >= most) alert(charge, used, 'a ceiling is reached: no more today');
      else if (taken && used + (charge.units ?? 1) >= most * ALARM_SHARE)
        alert(charge, used + (charge.units ?? 1), 'a ceiling is nearly reached');
    }
    const over = rows.filter(({ used, most }) => used >= most);
    // Another request has taken the last one since it was looked at.
    const lost = over.length > 0 ? over : rows.filter(({ taken }) => !taken);
    const [longest] = lost.sort((a, b) => b.wait_s - a.wait_s);
    if (!longest) return undefined;
    const { charge, most, wait_s } = longest;
    return { charge, most, retryAfter: Math.max(1, Math.ceil(wait_s)) };
  };
  return {
    take,
    spend: async (db, charges, by) => (await take(db, charges, by))?.retryAfter,
  };
}

/** Forgets the windows that have ended. */
export const forgetSpent = (db: Db, now: Date): Promise<void> =>
  deleteInBatches(db, 'budgets', 'ends_at <= $1', [now]);

/** How much of each of those is spent in the present window; of what is not there, nothing. */
export async function readSpent(
  db: Db,
  subjects: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const rows = await run<{ subject: string; spent: number }>(
    db,
    `select subject, sum(spent)::integer as spent from budgets
      where subject = any($1::text[]) and ends_at > $2 group by subject`,
    [subjects, now],
  );
  return new Map(rows.map(({ subject, spent }) => [subject, spent]));
}

const endOfWindow = (now: number, withinMs: number): number =>
  (Math.floor(now / withinMs) + 1) * withinMs;

function columnsOf(charges: readonly Charge[], now: Date): unknown[] {
  const ends = ({ wide, withinMs }: Charge) =>
    wide ? endOfWindow(now.getTime(), withinMs) : now.getTime() + withinMs;
  return [
    charges.map(({ subject }) => subject),
    charges.map(({ most }) => most),
    charges.map((charge) => new Date(ends(charge))),
    charges.map(({ wide }) => (wide ? SHARDS : 1)),
    now,
    charges.map(({ only }) => only ?? null),
    charges.map(({ yields = false }) => yields),
  ];
}

/** Clients whom the requester could keep from their part. */
const OTHERS = `
  select from clients c where c.client_status = 'ACTIVE' and c.client_id > ${OPERATOR_CLIENT_ID}
     and c.client_id is distinct from $8::integer`;

/**
 * First looks whether there is room in all of them, so that what is refused locks nothing; then adds
 * to each that still has room when its row is ours. Always in the same order, so that two who
 * spend of the same never wait for each other. A connection keeps to one shard.
 */
const SPEND = `
  with standing as materialized (
    select case when ${isApprovedSql('$8::integer', '$9::integer')} then 'approved' else 'strangers' end as word
  ), asked as materialized (
    select a.subject, a.ends_at, a.shards, a.units, a.place,
           case when a.yields and exists (${OTHERS}) then greatest(1, a.most / 2) else a.most end as most,
           coalesce(b.used, 0)::integer as used,
           coalesce(extract(epoch from b.until - $5::timestamptz), 1)::float8 as wait_s
      from unnest($1::text[], $2::integer[], $3::timestamptz[], $4::integer[], $6::text[], $7::boolean[],
                  $10::integer[])
             with ordinality as a(subject, most, ends_at, shards, only_of, yields, units, place)
      join standing s on coalesce(a.only_of, s.word) = s.word
      cross join lateral (
        select sum(spent) as used, max(ends_at) as until from budgets b
         where b.subject = a.subject and b.ends_at > $5) b
  ), spent as (
    insert into budgets as b (subject, shard, spent, ends_at)
    select subject, pg_backend_pid() % shards, units, ends_at from asked
     where not exists (select from asked where used >= most)
     order by subject
    on conflict (subject, shard) do update
       set spent = case when b.ends_at > $5 then b.spent + excluded.spent else excluded.spent end,
           ends_at = case when b.ends_at > $5 then b.ends_at else excluded.ends_at end
     where case when b.ends_at > $5 then b.spent else 0 end
           + coalesce((select sum(o.spent) from budgets o
                        where o.subject = b.subject and o.shard <> b.shard and o.ends_at > $5), 0)
           < (select a.most from asked a where a.subject = b.subject)
    returning b.subject
  )
  select (a.place - 1)::integer as place, a.used, a.most, a.wait_s, s.subject is not null as taken
    from asked a left join spent s using (subject)`;
