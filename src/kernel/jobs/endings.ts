import { type Db, run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { emitWork } from './work-events.ts';
import type { Claimed, Queue, Worker } from './worker.ts';

/** Ends a run in the transaction of what it has done; false where another process has taken its job over. */
export const completeIn = (tx: Db, job: Claimed): Promise<boolean> =>
  found(tx, 'select end_jobs($1, $2) as id', [[job.id], [job.attempt]]);

/** Ends a run and puts the next one in its place, as a first attempt, or leaves that to one already waiting. */
export const repeatJob = (db: Db, job: Claimed, at: Date): Promise<boolean> =>
  found(db, REPEAT, [job.id, job.attempt, at.toISOString()]);

/**
 * Ends an attempt that has failed; after the last one a person hears of the dead letter as it is made. False where
 * another process has the job by now.
 */
export async function failJob(
  { db }: Pick<Queue, 'db'>,
  { attempts, afterLast }: Worker,
  job: Claimed,
  message: string,
): Promise<boolean> {
  const which = [job.id, job.attempt];
  if (job.attempt < attempts) return found(db, RETRY, which);
  if (afterLast === 'nothing') return found(db, FORGET, which);
  if (afterLast !== 'dead letter') return found(db, GO_ON, [...which, afterLast.goesOnAs, message]);
  return transact(db, async (tx) => {
    const isDead = await found(tx, DIE, [...which, message]);
    if (isDead) emitWork(tx, 'given_up', job.name, job.id);
    return isDead;
  });
}

/** Whether the statement still found the run that it is about: a process that hung comes too late. */
const found = async (db: Db, text: string, values: readonly unknown[]): Promise<boolean> =>
  (await run(db, text, values)).length > 0;

const IS_RUN = `id = $1 and attempt = $2 and state in ('active', 'lapsed')`;

/** Pauses of 2 to 4 seconds and twice as long each time, up to an hour. */
const RETRY = `
  update jobs set state = 'retrying', due_at = now() + least(3600, 2 ^ least(attempt, 16) * (1 + random())) * interval '1 second'
  where ${IS_RUN} returning id`;

const FORGET = `delete from jobs where ${IS_RUN} returning id`;

const DIE = `
  update jobs set state = 'dead', died_at = now(), error = $3 where ${IS_RUN} returning id`;

/** What begins to count its attempts again has another id, so that no run of before is taken for one of these. */
const GO_ON = `
  with ended as (delete from jobs where ${IS_RUN} returning *)
  insert into jobs (name, key, data, state, error, client_id)
  select $3, coalesce(key, id::text), data, 'retrying', $4, client_id from ended returning id`;

const REPEAT = `
  with ended as (delete from jobs where ${IS_RUN} returning *),
  next as (
    insert into jobs as j (name, key, data, due_at, client_id)
    select name, coalesce(key, id::text), data, $3::timestamptz, client_id from ended
    on conflict (name, key) where state = 'waiting' and key is not null
      do update set due_at = least(j.due_at, excluded.due_at))
  select id from ended`;
