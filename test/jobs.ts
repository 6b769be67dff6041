import type { Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Clock, createClock } from '#kernel/clock.ts';
import { type OpenDatabase, openDatabase, run } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import type { Job, Schedule } from '#kernel/jobs/job.ts';
import { createJobs, type Jobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { type TestDatabase, testDatabase } from '#test/database.ts';

export interface JobsBench {
  readonly clock: Clock;
  db(): Kysely<DB>;
  /** Another process from the queue's view. Ends itself after the test. */
  instance(jobs: readonly Job[], schedules?: readonly Schedule[]): Jobs;
  /** Moves the service's clock as the sandbox does. */
  forward(jobs: Jobs, ms: number): Promise<void>;
}

/** A queue on a database of the test file's own, emptied after each test. */
export function jobsBench(): JobsBench {
  const clock = createClock();
  const log = createLog('silent');
  let database: TestDatabase;
  let open: OpenDatabase;
  let instances: Jobs[] = [];

  beforeAll(async () => {
    database = await testDatabase();
    open = openDatabase(database.url);
    await run(open.db, 'create table done_work (name text not null)', []);
  });

  afterAll(async () => {
    await open.close();
    await database.close();
  });

  afterEach(async () => {
    await Promise.all(instances.map((jobs) => jobs.stop(0)));
    instances = [];
    for (const table of ['jobs', 'job_schedules', 'done_work'])
      await run(open.db, `delete from ${table}`, []);
  });

  return {
    clock,
    db: () => open.db,
    instance(jobs, schedules = []) {
      const made = createJobs({ pool: open.pool, clock, log });
      made.register(jobs, schedules);
      instances.push(made);
      return made;
    },
    async forward(jobs, ms) {
      clock.advance(ms);
      await jobs.advance(ms);
    },
  };
}
