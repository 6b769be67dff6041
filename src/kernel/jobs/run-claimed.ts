import type { Kysely } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { leftBy, uncaused } from '#kernel/cause.ts';
import type { Db } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import type { Logger } from '#kernel/log.ts';
import { loggingAbout } from '#kernel/log-context.ts';
import { transact } from '#kernel/transact.ts';
import { within } from './boss.ts';
import { affected, failJob } from './fail-job.ts';
import { type JobAnswer, type JobContext, LostClaim } from './job.ts';

/** A job that this process has taken; what it is and how often it was tried. */
export interface Claimed {
  readonly id: string;
  /** Of its queue. */
  readonly name: string;
  readonly data: unknown;
  readonly retryCount: number;
  readonly retryLimit: number;
  readonly singletonKey: string | null;
  /** The client whose request has led to it, where that is known. */
  readonly groupId: string | null;
  /** How the job ended of which this one is the dead letter. */
  readonly sourceOutput: object | null;
}

/** What is done with the jobs of one queue. */
export interface Worker {
  readonly concurrency: number;
  run(payload: unknown, context: JobContext, job: Claimed): JobAnswer;
}

/** How a run ended. After `failed` it is tried again, after `dead` it is not. */
export type JobEnd = 'completed' | 'again' | 'failed' | 'dead' | 'lost';

/** Ends a run; false where another process has taken its job over. */
export type Complete = (job: Claimed) => Promise<boolean>;

export interface Queue {
  readonly boss: PgBoss;
  readonly db: Kysely<DB>;
  readonly log: Logger;
  readonly complete: Complete;
  /** The machine's time at a time the service names: its clock may be ahead. */
  machineTime(at: Date): Date;
}

const MESSAGE_MAX = 500;

/** Runs a job that this process has claimed, and settles it. Never throws. */
export async function runClaimed(
  queue: Queue,
  worker: Worker,
  job: Claimed,
  signal: AbortSignal,
): Promise<JobEnd> {
  const { boss, log } = queue;
  let settled = false;
  const context: JobContext = {
    attempt: job.retryCount + 1,
    last: job.retryCount >= job.retryLimit,
    key: job.singletonKey ?? job.id,
    signal,
    async completeWithin(tx) {
      await completeIn(boss, job, tx);
      settled = true;
    },
  };
  try {
    const answer = await forItsClient(job, () =>
      loggingAbout({ job: job.name, job_id: job.id }, () => worker.run(job.data, context, job)),
    );
    if (answer) await repeat(queue, job, answer.again);
    else if (!settled) mustBeOurs(job, await queue.complete(job));
    return answer ? 'again' : 'completed';
  } catch (error) {
    const about = { err: error, job: job.name, id: job.id, attempt: context.attempt };
    if (error instanceof LostClaim) {
      log.info(about, 'Another process has taken the job over');
      return 'lost';
    }
    if (context.last) log.error(about, 'Job failed for good');
    else log.warn(about, 'Job failed and will be tried again');
    return fail(queue, job, error);
  }
}

const forItsClient = <T>({ groupId }: Claimed, work: () => T): T =>
  groupId === null ? uncaused(work) : leftBy(Number(groupId), work);

/** In the transaction of what the run has done. */
async function completeIn(boss: PgBoss, job: Claimed, tx: Db): Promise<void> {
  const { name, id, retryCount } = job;
  const done = await boss.complete(name, { id, retryCount }, null, { db: within(tx) });
  mustBeOurs(job, affected(done));
}

function mustBeOurs({ name, id }: Claimed, isOurs: boolean): void {
  if (!isOurs) throw new LostClaim(`${name} ${id}`);
}

/** Ends this job and puts the next one in its place, or leaves that to one already waiting. */
async function repeat({ db, boss, machineTime }: Queue, job: Claimed, again: Date): Promise<void> {
  await transact(db, async (tx) => {
    await completeIn(boss, job, tx);
    await boss.send(job.name, job.data as object, {
      startAfter: machineTime(again),
      singletonKey: job.singletonKey ?? job.id,
      ...(job.groupId !== null && { group: { id: job.groupId } }),
      db: within(tx),
    });
  });
}

async function fail(queue: Queue, job: Claimed, error: unknown): Promise<JobEnd> {
  const { name, id, retryCount, retryLimit } = job;
  const message = (error instanceof Error ? error.message : String(error)).slice(0, MESSAGE_MAX);
  try {
    if (!(await failJob(queue, job, message))) return 'lost';
    return retryCount >= retryLimit ? 'dead' : 'failed';
  } catch (fault) {
    // Its heartbeat ends with this run, so it is taken up again as if this process had died.
    queue.log.error({ err: fault, job: name, id }, 'The failure of a job could not be recorded');
    return 'lost';
  }
}
