import { Cron } from 'croner';
import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import { run } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { CHANNEL } from './enqueue.ts';
import type { Schedule } from './job.ts';

export interface Scheduler {
  /** Starts the run of every schedule that is due by the service's clock; answers how many. */
  tick(): Promise<number>;
}

interface Entry {
  readonly schedule: Schedule;
  next: Date;
}

/**
 * Schedules in service time. The row in job_schedules says when each is due next, and the process
 * that moves it on starts the run in the same transaction: once per due time, however many processes
 * look. What was missed while none was running, or jumped over by the clock, is made up by one run.
 */
export function createScheduler(deps: Deps, schedules: readonly Schedule[]): Scheduler {
  const { db, clock } = deps;
  let entries: Promise<Entry[]> | undefined;

  // Not before the first look: opening must not need a connection that its caller may be holding.
  function known(): Promise<Entry[]> {
    entries ??= rememberAll(db, schedules, clock.now()).catch((error) => {
      entries = undefined;
      throw error;
    });
    return entries;
  }

  return {
    async tick() {
      const all = await known();
      const now = clock.now();
      const due = all.filter(({ next }) => next <= now);
      return due.length === 0 ? 0 : fire(deps, due, now);
    },
  };
}

interface Deps {
  readonly db: Kysely<DB>;
  readonly clock: Clock;
}

/** Starts those of them that no other process has; in one statement, since most are due at the same minute. */
async function fire({ db }: Deps, due: readonly Entry[], now: Date): Promise<number> {
  const following = followingAt(now);
  const moves = due.map((entry) => ({ entry, after: following(entry.schedule) }));
  const rows = await run<{ name: string }>(db, FIRE, [
    due.map(({ schedule }) => schedule.name),
    due.map(({ next }) => next.toISOString()),
    moves.map(({ after }) => after.toISOString()),
    CHANNEL,
  ]);
  const mine = new Set(rows.map(({ name }) => name));
  for (const { entry, after } of moves) if (mine.has(entry.schedule.name)) entry.next = after;
  const lost = due.filter(({ schedule }) => !mine.has(schedule.name));
  const times = await timesOf(db, lost);
  for (const entry of lost) entry.next = timeOf(times, entry.schedule);
  return mine.size;
}

/**
 * A row that another process moves on belongs to that process: no process waits for another. Of those moved here
 * the run is added, unless the last one has not ended yet.
 */
const FIRE = `
  with due as (
    select s.name, d.due, d.after
    from unnest($1::text[], $2::text[], $3::timestamptz[]) as d (name, due, after)
    join job_schedules s on s.name = d.name and s.next_at = d.due::timestamptz
    for update of s skip locked
  ),
  moved as (
    update job_schedules s set next_at = due.after from due where s.name = due.name
    returning s.name, due.due
  ),
  added as (
    insert into jobs (name, key, data, is_alone)
    select name, 'run', jsonb_build_object('due', due), true from moved
    on conflict do nothing
    returning name
  ),
  notified as (select pg_notify($4, name) from added)
  select name, (select count(*) from notified) from moved`;

/** When a schedule is due after that moment; found once for those that are due together. */
function followingAt(from: Date): (schedule: Schedule) => Date {
  const found = new Map<string, Date>();
  return ({ name, cron, timezone }) => {
    const pattern = `${cron} ${timezone}`;
    const next = found.get(pattern) ?? new Cron(cron, { timezone }).nextRun(from);
    if (next === null) throw new Error(`The schedule ${name} is never due`);
    found.set(pattern, next);
    return next;
  };
}

/** Notes those that are new or were changed as due from now; of others holds what a process has noted. */
async function rememberAll(
  db: Kysely<DB>,
  schedules: readonly Schedule[],
  now: Date,
): Promise<Entry[]> {
  const following = followingAt(now);
  await run(db, REMEMBER, [
    schedules.map(({ name }) => name),
    schedules.map(({ cron }) => cron),
    schedules.map(({ timezone }) => timezone),
    schedules.map((schedule) => following(schedule).toISOString()),
  ]);
  const entries = schedules.map((schedule) => ({ schedule }));
  const times = await timesOf(db, entries);
  return entries.map(({ schedule }) => ({ schedule, next: timeOf(times, schedule) }));
}

/** In the order of names, so that processes that start at once wait for each other in one direction. */
const REMEMBER = `
  insert into job_schedules as s (name, cron, timezone, next_at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) order by 1
  on conflict (name) do update
  set cron = excluded.cron, timezone = excluded.timezone, next_at = excluded.next_at
  where (s.cron, s.timezone) is distinct from (excluded.cron, excluded.timezone)`;

/** When each is due next, as the processes have noted. */
async function timesOf(
  db: Kysely<DB>,
  entries: readonly Pick<Entry, 'schedule'>[],
): Promise<Map<string, Date>> {
  if (entries.length === 0) return new Map();
  const rows = await run<{ name: string; next_at: string }>(
    db,
    'select name, next_at from job_schedules where name = any($1::text[])',
    [entries.map(({ schedule }) => schedule.name)],
  );
  return new Map(rows.map(({ name, next_at }) => [name, new Date(next_at)]));
}

function timeOf(times: ReadonlyMap<string, Date>, { name }: Schedule): Date {
  const time = times.get(name);
  if (!time) throw new Error(`The schedule ${name} is not in the database`);
  return time;
}
