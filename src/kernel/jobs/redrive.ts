import { type Db, run } from '#kernel/db/db.ts';

/**
 * Gives the dead letters of that job, or the one of that id, another full round of attempts; answers how many. One whose
 * key waits already, or whose schedule runs, stays as it is.
 */
export async function redriveJobs(db: Db, which: string): Promise<number> {
  const rows = await run(db, UUID.test(which) ? ONE : ALL, [which]);
  return rows.length;
}

/** The id of one; no job is called so. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What begins to count its attempts again has another id, so that no run of before is taken for one of these. */
const redrive = (which: string) => `
  with letters as materialized (
    select *, gen_random_uuid() as next_id from jobs where state = 'dead' and ${which} for update skip locked),
  made as (
    insert into jobs (id, name, key, data, is_alone, client_id)
    select next_id, name, coalesce(key, id::text), data, is_alone, client_id from letters order by died_at
    on conflict do nothing returning id)
  delete from jobs j using letters l, made m
  where m.id = l.next_id and j.id = l.id returning j.id`;
const ONE = redrive('id = $1');
const ALL = redrive('name = $1');
