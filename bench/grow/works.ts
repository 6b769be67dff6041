import { randomUUID } from 'node:crypto';
import type { JobContext, Schedule } from '#kernel/jobs/job.ts';
import type { App } from '#src/app/app.ts';

/** Background work of the service. */
export interface Work {
  readonly name: string;
  /** Answers its end. */
  work(): Promise<string>;
}

/** Every schedule, the poll for due jobs, and the runners. */
export const worksOf = ({ kernel, features }: App): Work[] => [
  { name: 'jobs looked for', work: () => ending(() => kernel.jobs.drain()) },
  ...features.runners.map((runner) => ({
    name: `runner ${runner.name}`,
    work: () => ending(() => runner.drain()),
  })),
  ...kernel.jobs.schedules().map((schedule) => ({
    name: `schedule ${schedule.name}`,
    work: () => ending(() => schedule.run(contextOf(schedule))),
  })),
];

const contextOf = ({ name }: Schedule): JobContext & { readonly due: Date } => ({
  attempt: 1,
  last: false,
  key: `${name} ${randomUUID()}`,
  due: new Date(),
  signal: AbortSignal.timeout(600_000),
  completeWithin: async () => undefined,
});

async function ending(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : error}`;
  }
}
