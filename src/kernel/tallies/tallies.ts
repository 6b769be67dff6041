import { type Db, run } from '../db/db.ts';
import { deleteInBatches, inBatches } from '../db/in-batches.ts';

/**
 * What is counted of a subject, and how many of it there are now. Triggers keep it (`tally` in SQL), so
 * that no request counts rows.
 */
export async function readTallies(db: Db, subject: string): Promise<ReadonlyMap<string, number>> {
  const rows = await run<{ what: string; n: number }>(db, READ, [subject]);
  return new Map(rows.map(({ what, n }) => [what, n]));
}

const READ = `
  select what, sum(n)::bigint as n from (
    select what, n from tallies where subject = $1
    union all select what, n from tally_changes where subject = $1) t
  group by what having sum(n) <> 0 order by what`;

/** Folds what has changed into the counts, and forgets counts of times that nothing asks for any more. */
export async function foldTallies(db: Db, now: Date): Promise<void> {
  await inBatches(async () => (await run(db, FOLD, [])).length);
  await deleteInBatches(db, 'tallies', 'until < $1', [now.toISOString()]);
}

const FOLD = `
  with taken as (
    delete from tally_changes where change_id in (
      select change_id from tally_changes order by change_id limit 1000 for update skip locked)
    returning subject, what, n, until)
  insert into tallies (subject, what, n, until)
  select subject, what, sum(n), max(until) from taken group by subject, what order by subject, what
  on conflict (subject, what) do update set n = tallies.n + excluded.n returning 1`;
