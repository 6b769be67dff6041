import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Clock } from '#kernel/clock.ts';
import { run } from '#kernel/db/db.ts';
import type { Liveness } from '#kernel/db/liveness.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import type { Logger } from '#kernel/log.ts';
import { CHANNEL, DEAD, exhaustedQueue, openBoss, provideQueues } from './boss.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import { createEnqueuing, type Enqueuing } from './enqueue.ts';
import type { Job, Schedule } from './job.ts';
import {
  type DeadLetter,
  deadLetters,
  type QueueStats,
  queueStats,
  touchJobs,
} from './job-stats.ts';
import type { JobEnd, Worker } from './run-claimed.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';

export interface JobStats {
  readonly queues: readonly QueueStats[];
  /** Dead letters by the job they were. */
  readonly dead: Readonly<Record<string, number>>;
  /** How the runs of this process ended. */
  readonly endings: Readonly<Record<JobEnd, number>>;
}

export interface Jobs extends Enqueuing {
  /** Makes jobs and schedules known, before anything is opened. */
  register(jobs: readonly Job[], schedules?: readonly Schedule[]): void;
  /** All that are known, the kernel's own among them. */
  schedules(): readonly Schedule[];
  /** Connects to the queue, installing it where needed. Enough for a process that only enqueues. */
  open(): Promise<void>;
  /** Opens, and runs what is due from now on. */
  start(): Promise<void>;
  /** Begins nothing more and lets what runs finish for `graceMs`, then hands it back. */
  pause(graceMs?: number): Promise<void>;
  /** Rests, and closes the connections. */
  stop(graceMs?: number): Promise<void>;
  /** Runs what is due until nothing is, without waiting for anything; answers how the runs ended. */
  drain(): Promise<Record<JobEnd, number>>;
  /** Brings forward what waits, after the service's clock was moved ahead by `ms`. */
  advance(ms: number): Promise<void>;
  stats(): Promise<JobStats>;
  /** Throws where the queue cannot be reached. */
  check(): Promise<void>;
  /** Newest first. */
  deadLetters(limit?: number): Promise<DeadLetter[]>;
  /** Gives the dead letters of that job, or the one of that id, another full round of attempts; answers how many. */
  redrive(which: string): Promise<number>;
}

export interface JobsDeps {
  readonly pool: pg.Pool;
  /** Hears of jobs that are due at once; without it they are found within a second. */
  readonly presence?: Pick<Liveness, 'listen'> | undefined;
  /** The server itself, where a pooler is in between; for the queue's own schema. */
  readonly directUrl?: string | undefined;
  /** False where something in between does not keep prepared statements. */
  readonly prepared?: boolean | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Opened {
  readonly boss: PgBoss;
  close(): Promise<void>;
  readonly dispatcher: Dispatcher;
  readonly scheduler: Scheduler;
}

interface JobsState extends JobsDeps {
  readonly db: Kysely<DB>;
  readonly jobs: Map<string, Job>;
  readonly schedules: Map<string, Schedule>;
  opened: Promise<Opened> | undefined;
  timer: NodeJS.Timeout | undefined;
  listening: { close(): Promise<void> } | undefined;
  paused: Promise<unknown> | undefined;
}

/** Delayed jobs and retries are not announced; this is how late they may be noticed. */
const TICK_MS = 1000;
/** With what follows it has to fit into the grace of the whole service (see app.ts). */
const GRACE_MS = 5000;

/** Durable jobs and schedules on PostgreSQL. Nothing is opened before `open`, `start` or `drain`. */
export function createJobs({ pool, clock, log, presence, directUrl, prepared }: JobsDeps): Jobs {
  const state: JobsState = {
    pool,
    clock,
    log,
    presence,
    directUrl,
    prepared,
    db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }),
    jobs: new Map(),
    schedules: new Map(),
    opened: undefined,
    timer: undefined,
    listening: undefined,
    paused: undefined,
  };
  const boss = async () => (await opened(state)).boss;
  return {
    ...createEnqueuing({ clock, jobs: state.jobs, boss }),
    register: (jobs, schedules = []) => register(state, jobs, schedules),
    schedules: () => [...state.schedules.values()],
    open: async () => void (await opened(state)),
    start: () => start(state),
    pause: (graceMs = GRACE_MS) => pause(state, graceMs),
    stop: (graceMs = GRACE_MS) => stop(state, graceMs),
    drain: () => drain(state),
    advance: (ms) => advance(state, ms),
    stats: async () => ({
      ...(await queueStats(state.db)),
      endings: { ...(await opened(state)).dispatcher.endings },
    }),
    async check() {
      await opened(state);
      await touchJobs(state.db);
    },
    deadLetters: (limit = 100) => deadLetters(state.db, limit),
    redrive: async (which) =>
      (await boss()).redrive(DEAD, UUID.test(which) ? { ids: [which] } : { sourceName: which }),
  };
}

/** The id of one; no job is called so. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function register(
  { jobs, schedules, opened }: JobsState,
  newJobs: readonly Job[],
  newSchedules: readonly Schedule[],
): void {
  if (opened) throw new Error('Jobs are registered before they are opened');
  const fresh = (name: string) => {
    if (jobs.has(name) || schedules.has(name)) throw new Error(`There are two jobs named ${name}`);
    return name;
  };
  for (const job of newJobs) jobs.set(fresh(job.name), job);
  for (const schedule of newSchedules) schedules.set(fresh(schedule.name), schedule);
}

function opened(state: JobsState): Promise<Opened> {
  state.opened ??= openNow(state).catch((error) => {
    state.opened = undefined;
    throw error;
  });
  return state.opened;
}

async function openNow(state: JobsState): Promise<Opened> {
  const { pool, clock, log, db, prepared = true } = state;
  const url = state.directUrl ?? pool.options.connectionString;
  if (url === undefined) throw new Error('The pool of the jobs was opened without an address');
  const jobs = [...state.jobs.values()];
  const schedules = [...state.schedules.values()];
  const { boss, close } = await openBoss({ like: pool, url, prepared, log });
  await provideQueues(boss, jobs, schedules).catch(async (error) => {
    await boss.stop({ graceful: false });
    await close();
    throw error;
  });
  const machineTime = (at: Date) => new Date(at.getTime() - clock.offsetMs);
  const dispatcher = createDispatcher({ boss, db, log, machineTime }, workersOf(jobs, schedules));
  return { boss, close, dispatcher, scheduler: createScheduler({ db, clock }, schedules) };
}

/** One worker for each queue: of jobs, of jobs that have used up their attempts, of schedules. */
function workersOf(jobs: readonly Job[], schedules: readonly Schedule[]): Map<string, Worker> {
  const workers = new Map<string, Worker>();
  for (const job of jobs) {
    const { concurrency } = job;
    workers.set(job.name, { concurrency, run: (payload, context) => job.run(payload, context) });
    const { onExhausted } = job;
    if (onExhausted)
      workers.set(exhaustedQueue(job), {
        concurrency,
        run: (payload, context, { sourceOutput }) =>
          onExhausted(payload, { ...context, error: messageOf(sourceOutput) }),
      });
  }
  for (const schedule of schedules)
    workers.set(schedule.name, {
      concurrency: 1,
      async run(payload, context) {
        const { due } = payload as { due: string };
        await schedule.run({ ...context, due: new Date(due) });
        return undefined;
      },
    });
  return workers;
}

const messageOf = (output: object | null): string => {
  const { message, value } = (output ?? {}) as { message?: string; value?: { message?: string } };
  return message ?? value?.message ?? 'unknown';
};

async function start(state: JobsState): Promise<void> {
  const { log } = state;
  const { dispatcher, scheduler } = await opened(state);
  const report = (error: unknown) => log.error({ err: error }, 'Looking for jobs failed');
  let busy = false;
  const tick = async () => {
    if (busy) return;
    busy = true;
    try {
      await scheduler.tick();
      await dispatcher.reclaim();
      await dispatcher.wake();
    } catch (error) {
      report(error);
    } finally {
      busy = false;
    }
  };
  const wake = () => void dispatcher.wake().catch(report);
  state.timer = setInterval(tick, TICK_MS);
  state.listening = await state.presence?.listen({ channel: CHANNEL, hear: wake, lost: wake });
  await tick();
}

async function pause(state: JobsState, graceMs: number): Promise<void> {
  clearInterval(state.timer);
  const open = await state.opened?.catch(() => undefined);
  if (!open) return;
  // Notifications do not matter any more, nor how their connection ends.
  const deaf = state.listening?.close().catch(() => undefined);
  state.paused ??= Promise.all([open.dispatcher.stop(graceMs), deaf]);
  await state.paused;
}

async function stop(state: JobsState, graceMs: number): Promise<void> {
  await pause(state, graceMs);
  const open = await state.opened?.catch(() => undefined);
  await open?.boss.stop({ graceful: false });
  await open?.close();
}

async function drain(state: JobsState): Promise<Record<JobEnd, number>> {
  const { dispatcher, scheduler } = await opened(state);
  const before = { ...dispatcher.endings };
  await scheduler.tick();
  await dispatcher.drain();
  const counts = { ...dispatcher.endings };
  for (const ending of Object.keys(counts) as JobEnd[]) counts[ending] -= before[ending];
  return counts;
}

async function advance(state: JobsState, ms: number): Promise<void> {
  const { dispatcher, scheduler } = await opened(state);
  await run(
    state.db,
    `update pgboss.job
     set start_after = start_after - $1::float8 * interval '1 millisecond'
     where state < 'active' and start_after > now()`,
    [ms],
  );
  await scheduler.tick();
  if (state.timer) await dispatcher.wake();
}
