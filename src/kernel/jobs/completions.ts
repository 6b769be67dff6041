import type { PgBoss } from 'pg-boss';
import type { Claimed, Complete } from './run-claimed.ts';

interface Waiting {
  readonly job: Claimed;
  readonly resolve: (isOurs: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** As pg-boss ends them one by one (a test compares the two). */
export const COMPLETE = 'select complete_jobs($1, $2, $3) as id';

/** Runs that end while a statement is on its way are ended by the next one together: the queue has one connection. */
export function createCompletions(boss: PgBoss): Complete {
  let waiting: Waiting[] = [];
  let isAsking = false;

  async function ask(): Promise<void> {
    isAsking = true;
    while (waiting.length > 0) {
      const now = waiting;
      waiting = [];
      await completeAll(boss, now);
    }
    isAsking = false;
  }

  return (job) =>
    new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject });
      if (!isAsking) void ask();
    });
}

async function completeAll(boss: PgBoss, ended: readonly Waiting[]): Promise<void> {
  const jobs = ended.map(({ job }) => job);
  const values = [
    jobs.map(({ name }) => name),
    jobs.map(({ id }) => id),
    jobs.map(({ retryCount }) => retryCount),
  ];
  try {
    const { rows } = await boss.getDb().executeSql(COMPLETE, values);
    const found = new Set(rows.map(({ id }: { id: string }) => id));
    for (const { job, resolve } of ended) resolve(found.has(job.id));
  } catch (error) {
    for (const { reject } of ended) reject(error);
  }
}
