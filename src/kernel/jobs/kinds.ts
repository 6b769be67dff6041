import type { Job, Schedule } from './job.ts';
import type { Worker } from './worker.ts';

/** A job that has used up its attempts and has a way out goes on under this name. */
const exhaustedName = ({ name }: Pick<Job, 'name'>): string => `${name}.exhausted`;
const ATTEMPTS_OF_WAY_OUT = 12;

/** What a process does with each name that a row may have: jobs, those without attempts left, runs of schedules. */
export function workersOf(
  jobs: readonly Job[],
  schedules: readonly Schedule[],
): ReadonlyMap<string, Worker> {
  const workers = new Map<string, Worker>();
  for (const job of jobs) {
    const { concurrency, attempts, onExhausted } = job;
    workers.set(job.name, {
      concurrency,
      attempts,
      afterLast: onExhausted ? { goesOnAs: exhaustedName(job) } : 'dead letter',
      run: (payload, context) => job.run(payload, context),
    });
    if (onExhausted)
      workers.set(exhaustedName(job), {
        concurrency,
        attempts: ATTEMPTS_OF_WAY_OUT,
        afterLast: 'dead letter',
        run: (payload, context, { error }) =>
          onExhausted(payload, { ...context, error: error ?? 'unknown' }),
      });
  }
  for (const schedule of schedules) workers.set(schedule.name, workerOf(schedule));
  return workers;
}

const workerOf = ({ attempts, run }: Schedule): Worker => ({
  concurrency: 1,
  attempts,
  // What is tried once is made up for by the next run: a person need not hear of it.
  afterLast: attempts === 1 ? 'nothing' : 'dead letter',
  async run(payload, context) {
    const { due } = payload as { due: string };
    await run({ ...context, due: new Date(due) });
    return undefined;
  },
});
