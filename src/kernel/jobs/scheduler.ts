import { Cron } from 'croner';
import type { Kysely } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Clock } from '#kernel/clock.ts';
import { run } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { transact } from '#kernel/db/transact.ts';
import { within } from './boss.ts';
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
export function createScheduler(
  { boss, db, clock }: { boss: PgBoss; db: Kysely<DB>; clock: Clock },
  schedules: readonly Schedule[],
): Scheduler {
  let entries: Promise<Entry[]> | undefined;

  // Not before the first look: opening must not need a connection that its caller may be holding.
  function known(): Promise<Entry[]> {
    entries ??= rememberAll(db, schedules, clock.now()).catch((error) => {
      entries = undefined;
      throw error;
    });
    return entries;
  }

  async function fire(entry: Entry, now: Date): Promise<number> {
    const { schedule, next } = entry;
    const after = following(schedule, now);
    const moved = await transact(db, async (tx) => {
      const rows = await run(
        tx,
        'update job_schedules set next_at = $3 where name = $1 and next_at = $2 returning name',
        [schedule.name, next.toISOString(), after.toISOString()],
      );
      if (rows.length === 1)
        await boss.send(schedule.name, { due: next }, { singletonKey: 'run', db: within(tx) });
      return rows.length;
    });
    entry.next = moved === 1 ? after : await nextOf(db, schedule);
    return moved;
  }

  return {
    async tick() {
      const all = await known();
      const now = clock.now();
      let started = 0;
      for (const entry of all) if (entry.next <= now) started += await fire(entry, now);
      return started;
    },
  };
}

function following({ name, cron, timezone }: Schedule, from: Date): Date {
  const next = new Cron(cron, { timezone }).nextRun(from);
  if (next === null) throw new Error(`The schedule ${name} is never due`);
  return next;
}

async function rememberAll(db: Kysely<DB>, schedules: readonly Schedule[], now: Date) {
  const entries: Entry[] = [];
  for (const schedule of schedules)
    entries.push({ schedule, next: await remember(db, schedule, now) });
  return entries;
}

/** When it is due next: as another process has noted, or from now if it is new or was changed. */
async function remember(db: Kysely<DB>, schedule: Schedule, now: Date): Promise<Date> {
  const { name, cron, timezone } = schedule;
  await run(
    db,
    `insert into job_schedules as s (name, cron, timezone, next_at) values ($1, $2, $3, $4)
     on conflict (name) do update
     set cron = excluded.cron, timezone = excluded.timezone, next_at = excluded.next_at
     where (s.cron, s.timezone) is distinct from (excluded.cron, excluded.timezone)`,
    [name, cron, timezone, following(schedule, now).toISOString()],
  );
  return nextOf(db, schedule);
}

async function nextOf(db: Kysely<DB>, { name }: Schedule): Promise<Date> {
  const [row] = await run<{ next_at: string }>(
    db,
    'select next_at from job_schedules where name = $1',
    [name],
  );
  if (!row) throw new Error(`The schedule ${name} is not in the database`);
  return new Date(row.next_at);
}
