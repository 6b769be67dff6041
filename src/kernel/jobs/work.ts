import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import type { Logger } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import { defineSchedule, type Job, type Schedule, type WorkRows } from './job.ts';
import { forgetWork, lostWork } from './work-store.ts';

interface WorkDeps {
  readonly db: Kysely<DB>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The registered jobs by name; those that take on rows say so. */
type KnownJobs = ReadonlyMap<string, Job>;

const MINUTE_MS = 60_000;
const WOKEN_AT_ONCE = 500;
const FORGOTTEN_AT_ONCE = 1000;

/** The upkeep of all open and ended rows that jobs take on, whatever their kind. */
export const workSchedules = (deps: WorkDeps, jobs: KnownJobs): Schedule[] => [
  defineSchedule({ name: 'work.sweep', cron: '* * * * *', run: () => wakeLost(deps, jobs) }),
  defineSchedule({
    name: 'work.forget',
    cron: '23 3 * * *',
    run: ({ due, signal }) => forgetEnded(deps.db, rowsOf(jobs), due, signal),
  }),
];

const rowsOf = (jobs: KnownJobs): WorkRows[] =>
  [...jobs.values()].flatMap(({ rows }) => (rows === undefined ? [] : [rows]));

/** A row commits together with its job: without one it is from before an upgrade, or there was a mistake. */
async function wakeLost({ db, clock, log }: WorkDeps, jobs: KnownJobs): Promise<void> {
  const names = [...jobs.values()].filter(({ rows }) => rows).map(({ name }) => name);
  const before = new Date(clock.now().getTime() - MINUTE_MS);
  const lost = await lostWork(db, names, { before, limit: WOKEN_AT_ONCE });
  for (const { job, id } of lost)
    await transact(db, async (tx) => jobs.get(job)?.rows?.follow(tx, id));
  if (lost.length > 0) log.warn({ lost }, 'Work had lost its job and was woken');
}

async function forgetEnded(
  db: Kysely<DB>,
  all: readonly WorkRows[],
  due: Date,
  signal: AbortSignal,
): Promise<void> {
  const alike = Map.groupBy(all, ({ what, keptMs }) => `${what} ${keptMs}`);
  for (const rows of alike.values()) {
    const [{ what, keptMs } = {}] = rows;
    if (what === undefined || keptMs === undefined) continue;
    const kinds = rows.map(({ kind }) => kind);
    const before = new Date(due.getTime() - keptMs);
    for (let gone = FORGOTTEN_AT_ONCE; gone === FORGOTTEN_AT_ONCE && !signal.aborted; )
      gone = await forgetWork(db, { what, kinds }, before, FORGOTTEN_AT_ONCE);
  }
}
