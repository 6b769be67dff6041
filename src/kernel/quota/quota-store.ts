import { OPERATOR_CLIENT_ID } from '../access/authenticator.ts';
import { type ApprovalState, isApprovedSql } from '../access/requester.ts';
import { type Db, run } from '../db/db.ts';
import { deleteInBatches } from '../db/in-batches.ts';

/** How much of something one subject may have in a window. */
export interface Quota {
  /** What it is counted against: `code by network/15m 198.51.100.7`. */
  readonly subject: string;
  readonly most: number;
  readonly withinMs: number;
  /** How much this spends; 1 where missing. The last request may pass `most` by that. */
  readonly units?: number;
  /**
   * Many spend of it at once and must not wait for each other; a few more than `most` may then pass
   * at the same moment. Its windows are those of the calendar, in UTC.
   */
  readonly isShared?: boolean;
  /** The operator is alerted when four fifths are spent, and when all is. */
  readonly hasAlarm?: boolean;
  /** Applies only to approved requesters, or only to the others (see `isApproved`). */
  readonly only?: 'approved' | 'strangers';
  /** Half of `most` while another client is ACTIVE than the requester's and the operator's own. */
  readonly yields?: boolean;
}

/** A quota that applies to the requester, as the statement found it. */
export interface SpentQuota {
  readonly quota: Quota;
  readonly taken: boolean;
  /** Before this request. */
  readonly used: number;
  /** Of the quota, or half of it where it yields. */
  readonly most: number;
  readonly wait_s: number;
}

/** How many rows share the counting of a quota that many spend of. */
const SHARDS = 16;

/** Spends of each that applies, or of none. */
export async function spendQuotas(
  db: Db,
  quotas: readonly Quota[],
  { client_id = null, user_id = null }: ApprovalState,
  now: Date,
): Promise<SpentQuota[]> {
  const ends = ({ isShared, withinMs }: Quota) =>
    isShared ? endOfWindow(now.getTime(), withinMs) : now.getTime() + withinMs;
  const rows = await run<Omit<SpentQuota, 'quota'> & { place: number }>(db, SPEND, [
    quotas.map(({ subject }) => subject),
    quotas.map(({ most }) => most),
    quotas.map((quota) => new Date(ends(quota))),
    quotas.map(({ isShared }) => (isShared ? SHARDS : 1)),
    now,
    quotas.map(({ only }) => only ?? null),
    quotas.map(({ yields = false }) => yields),
    client_id,
    user_id,
    quotas.map(({ units = 1 }) => units),
  ]);
  return rows.map(({ place, ...counted }) => {
    const quota = quotas[place];
    if (!quota) throw new Error(`Quota ${place} of ${quotas.length} was counted`);
    return { ...counted, quota };
  });
}

export const endOfWindow = (now: number, withinMs: number): number =>
  (Math.floor(now / withinMs) + 1) * withinMs;

/** Deletes the windows that have ended. */
export const forgetSpent = (db: Db, now: Date): Promise<void> =>
  deleteInBatches(db, 'budgets', 'ends_at <= $1', [now]);

/** How much of each subject is spent in the present window; a subject without any is missing. */
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

/** Clients whom the requester could keep from their part. */
const OTHERS = `
  select from clients c where c.client_status = 'ACTIVE' and c.client_id > ${OPERATOR_CLIENT_ID}
     and c.client_id is distinct from $8::integer`;

/**
 * First looks whether there is room in all of them, so that a refusal locks nothing; then adds to each that still has
 * room when its row is ours. Always in the same order, so that two who spend of the same never wait for each other. A
 * connection keeps to one shard.
 */
const SPEND = `
  with standing as materialized (
    select case when ${isApprovedSql('$8::integer', '$9::integer')} then 'approved' else 'strangers' end as word
  ), wanted as materialized (
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
    select subject, pg_backend_pid() % shards, units, ends_at from wanted
     where not exists (select from wanted where used >= most)
     order by subject
    on conflict (subject, shard) do update
       set spent = case when b.ends_at > $5 then b.spent + excluded.spent else excluded.spent end,
           ends_at = case when b.ends_at > $5 then b.ends_at else excluded.ends_at end
     where case when b.ends_at > $5 then b.spent else 0 end
           + coalesce((select sum(o.spent) from budgets o
                        where o.subject = b.subject and o.shard <> b.shard and o.ends_at > $5), 0)
           < (select a.most from wanted a where a.subject = b.subject)
    returning b.subject
  )
  select (a.place - 1)::integer as place, a.used, a.most, a.wait_s, s.subject is not null as taken
    from wanted a left join spent s using (subject)`;
