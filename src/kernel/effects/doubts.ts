import { type Db, run } from '../db/db.ts';
import type { Doubt } from '../http/declare/state-fields.ts';
import { nextAttemptSql } from './next-attempt.ts';

/** The open calls behind objects, by the names of their flows: of each the oldest whose outcome is unknown. */
export async function doubtsOf(
  db: Db,
  works: readonly string[],
): Promise<ReadonlyMap<string, Doubt>> {
  if (works.length === 0) return new Map();
  const rows = await run<{ work: string; since: string; next_at: string | null; stalled: boolean }>(
    db,
    `select w.work, d.since, d.next_at, d.stalled
     from unnest($1::text[]) w (work) cross join lateral (
       select coalesce(e.called_at, e.opened_at) as since, e.stalled_at is not null as stalled,
         ${nextAttemptSql(`array['effect.' || e.kind]`, 'e.id')} as next_at
       from effects e
       where e.state = 'OPEN' and effect_work_id(e.kind, e.id) = w.work and e.calls > 0
       order by since limit 1) d`,
    [works],
  );
  return new Map(
    rows.map(({ work, since, next_at, stalled }) => [
      work,
      { since, next_attempt_at: next_at, isStalled: stalled },
    ]),
  );
}
