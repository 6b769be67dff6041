import { type Db, run } from '#kernel/db/db.ts';

export interface OpenEffects {
  readonly kind: string;
  readonly open: number;
  readonly stalled: number;
  /** Open for longer than that kind usually is: a person has to look. */
  readonly overdue: number;
  /** How long the oldest has been open, in seconds of service time. */
  readonly oldest_s: number;
}

/** How long the outcome of a kind usually takes, in milliseconds. */
export interface Usual {
  readonly kind: string;
  readonly usuallyMs: number;
}

/** An open effect: a call whose outcome is unknown. */
export interface InDoubt {
  readonly kind: string;
  readonly id: string;
  readonly since: string;
  readonly calls: number;
  readonly look_ups: number;
  /** It has been open for longer than its kind usually is. */
  readonly is_overdue: boolean;
  /** What the last step says of it. */
  readonly note: string | null;
}

const USUAL = `unnest($2::text[], $3::float8[]) u (kind, usually_ms)`;
const IS_OVERDUE = `opened_at < $1::timestamptz - usually_ms * interval '1 millisecond'`;
const usualColumns = (usual: readonly Usual[]) => [
  usual.map(({ kind }) => kind),
  usual.map(({ usuallyMs }) => usuallyMs),
];

/** What is in doubt, by kind. */
export const openEffects = (db: Db, at: Date, usual: readonly Usual[]): Promise<OpenEffects[]> =>
  run(
    db,
    `select kind, count(*)::integer as open, count(stalled_at)::integer as stalled,
       count(*) filter (where ${IS_OVERDUE})::integer as overdue,
       greatest(extract(epoch from $1::timestamptz - min(opened_at)), 0)::float8 as oldest_s
     from effects left join ${USUAL} using (kind) where state = 'OPEN' group by kind order by kind`,
    [at.toISOString(), ...usualColumns(usual)],
  );

/** Each of them, oldest first; up to so many. */
export const effectsInDoubt = (
  db: Db,
  at: Date,
  usual: readonly Usual[],
  limit: number,
): Promise<InDoubt[]> =>
  run(
    db,
    `select kind, id, opened_at as since, calls, look_ups, coalesce(${IS_OVERDUE}, false) as is_overdue,
       coalesce(steps -> -1 ->> 'note', steps -> -1 ->> 'outcome') as note
     from effects left join ${USUAL} using (kind)
     where state = 'OPEN' and stalled_at is null order by opened_at limit $4`,
    [at.toISOString(), ...usualColumns(usual), limit],
  );
