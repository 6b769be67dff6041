import { leftBy, uncaused } from '#kernel/cause.ts';
import { machineMs } from '#kernel/clock.ts';
import { withLogFacts } from '#kernel/log-context.ts';
import { hearingWaits } from '#kernel/retry-after.ts';
import { completeIn, failJob, repeatJob } from './endings.ts';
import { type Again, type JobContext, LostClaim } from './job.ts';
import type { Claimed, JobEnd, Queue, Worker } from './worker.ts';

const MESSAGE_MAX = 500;

/** Runs a job that this process has claimed, and settles it. Never throws. */
export async function runClaimed(
  queue: Queue,
  worker: Worker,
  job: Claimed,
  signal: AbortSignal,
): Promise<JobEnd> {
  const { db, log } = queue;
  let settled = false;
  const context: JobContext = {
    attempt: job.attempt,
    last: job.attempt >= worker.attempts,
    key: job.key ?? job.id,
    signal,
    async completeWithin(tx) {
      mustBeOurs(job, await completeIn(tx, job));
      settled = true;
    },
  };
  const run = hearingWaits(() =>
    forItsClient(job, () =>
      withLogFacts({ job: job.name, job_id: job.id }, () => worker.run(job.data, context, job)),
    ),
  );
  try {
    const answer = await run.ended;
    if (answer) mustBeOurs(job, await repeatJob(db, job, again(queue, answer, run.waitMs())));
    else if (!settled) mustBeOurs(job, await queue.complete(job));
    return answer ? 'again' : 'completed';
  } catch (error) {
    const about = { err: error, job: job.name, id: job.id, key: job.key, attempt: context.attempt };
    if (error instanceof LostClaim) {
      log.info(about, 'Another process has taken the job over');
      return 'lost';
    }
    if (context.last) log.error(about, 'Job failed for good');
    else log.warn(about, 'Job failed and will be tried again');
    return fail(queue, worker, job, error, run.waitMs());
  }
}

/** No earlier than the providers that were called want to be called. */
function again({ machineTime }: Queue, answer: Again, waitMs: number): Date {
  const at = machineTime(answer.again);
  return waitMs === 0 ? at : new Date(Math.max(at.getTime(), machineMs() + waitMs));
}

const forItsClient = <T>({ client_id }: Claimed, work: () => T): T =>
  client_id === null ? uncaused(work) : leftBy(client_id, work);

/** Records that the process which had the job is gone. Never throws. */
export async function takeOver(queue: Queue, worker: Worker, job: Claimed): Promise<void> {
  queue.log.warn({ job: job.name, id: job.id }, 'The process that ran a job is gone');
  await fail(queue, worker, job, 'The process that ran it is gone');
}

function mustBeOurs({ name, id }: Claimed, isOurs: boolean): void {
  if (!isOurs) throw new LostClaim(`${name} ${id}`);
}

async function fail(
  queue: Queue,
  worker: Worker,
  job: Claimed,
  ...[error, waitMs = 0]: [unknown, number?]
): Promise<JobEnd> {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, MESSAGE_MAX);
  try {
    if (!(await failJob(queue, worker, job, { message, waitMs }))) return 'lost';
    return job.attempt >= worker.attempts ? 'dead' : 'failed';
  } catch (fault) {
    // Its lease is not renewed after this run, so it is taken up again as if this process had died.
    const { name, id } = job;
    queue.log.error({ err: fault, job: name, id }, 'The failure of a job could not be recorded');
    return 'lost';
  }
}
