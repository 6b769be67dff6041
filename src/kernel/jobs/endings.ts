import { type Db, run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import type { WorkRows } from './job.ts';
import { emitWork } from './work-events.ts';
import { stallWork } from './work-store.ts';
import type { Claimed, Queue, Worker } from './worker.ts';

/** Ends a run in the transaction of what it has done; false where another process has taken its job over. */
export const completeIn = (tx: Db, job: Claimed): Promise<boolean> =>
  found(tx, 'select end_jobs($1, $2) as id', [[job.id], [job.attempt]]);

/** Ends a run and puts the next one in its place, as a first attempt, or leaves that to one already waiting. */
export const repeatJob = (db: Db, job: Claimed, at: Date): Promise<boolean> =>
  found(db, REPEAT, [job.id, job.attempt, at.toISOString()]);

interface Failure {
  readonly message: string;
  /** How long a provider wants to be left alone. */
  readonly waitMs: number;
}

/**
 * Ends an attempt that has failed; after the last one the operator hears of the dead letter, or of the row that has
 * stalled. False where another process has the job by now.
 */
export async function failJob(
  { db }: Pick<Queue, 'db'>,
  { attempts, afterLast }: Worker,
  job: Claimed,
  { message, waitMs }: Failure,
): Promise<boolean> {
  const which = [job.id, job.attempt];
  if (job.attempt < attempts) return found(db, RETRY, [...which, waitMs / 1000]);
  if (afterLast === 'nothing') return found(db, FORGET, which);
  return transact(db, async (tx) => {
    const rows = afterLast === 'dead letter' ? undefined : afterLast;
    const isOurs = await (rows ? found(tx, FORGET, which) : found(tx, DIE, [...which, message]));
    if (isOurs && rows) await stall(tx, rows, job, message);
    else if (isOurs) emitWork(tx, 'given_up', job.name, job.id);
    return isOurs;
  });
}

async function stall(tx: Db, rows: WorkRows, { key, id }: Claimed, error: string): Promise<void> {
  const stalled = await stallWork(tx, rows, key ?? id, error);
  if (stalled !== undefined) emitWork(tx, 'stalled', `${rows.what}.${rows.kind}`, stalled);
}

/** Whether the statement still found the run that it is about: a process that hung comes too late. */
const found = async (db: Db, text: string, values: readonly unknown[]): Promise<boolean> =>
  (await run(db, text, values)).length > 0;

const IS_RUN = `id = $1 and attempt = $2 and state in ('active', 'lapsed')`;

/** Pauses of 2 to 4 seconds and twice as long each time, up to an hour; longer where a provider asks for that. */
const RETRY = `
  update jobs set state = 'retrying',
    due_at = now() + greatest($3::float8, least(3600, 2 ^ least(attempt, 16) * (1 + random()))) * interval '1 second'
  where ${IS_RUN} returning id`;

const FORGET = `delete from jobs where ${IS_RUN} returning id`;

const DIE = `
  update jobs set state = 'dead', died_at = now(), error = $3 where ${IS_RUN} returning id`;

const REPEAT = `
  with ended as (delete from jobs where ${IS_RUN} returning *),
  next as (
    insert into jobs as j (name, key, data, due_at, client_id)
    select name, coalesce(key, id::text), data, $3::timestamptz, client_id from ended
    on conflict (name, key) where state = 'waiting' and key is not null
      do update set due_at = least(j.due_at, excluded.due_at))
  select id from ended`;
