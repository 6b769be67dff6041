import type { Job, Schedule } from './job.ts';
import type { Worker } from './worker.ts';

/** What a process does with each name that a row may have: jobs, and runs of schedules. */
export function workersOf(
  jobs: readonly Job[],
  schedules: readonly Schedule[],
): ReadonlyMap<string, Worker> {
  const workers = new Map<string, Worker>();
  for (const job of jobs) {
    const { name, concurrency, attempts, rows } = job;
    workers.set(name, {
      concurrency,
      attempts,
      afterLast: rows ?? 'dead letter',
      run: (payload, context) => job.run(payload, context),
    });
    if (rows)
      workers.set(`${name}.exhausted`, { concurrency, attempts: 1, afterLast: rows, run: fail });
  }
  for (const schedule of schedules) workers.set(schedule.name, workerOf(schedule));
  return workers;
}

/** Versions before the view `work` left such a job, by which its row stalls, where every attempt had failed. */
const fail: Worker['run'] = async (_payload, _context, { error }) => {
  throw new Error(error ?? 'unknown');
};

const workerOf = ({ attempts, run }: Schedule): Worker => ({
  concurrency: 1,
  attempts,
  // The next run makes up for a schedule with a single attempt: a person need not hear of it.
  afterLast: attempts === 1 ? 'nothing' : 'dead letter',
  async run(payload, context) {
    const { due } = payload as { due: string };
    await run({ ...context, due: new Date(due) });
    return undefined;
  },
});
