import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Clock } from '#kernel/clock.ts';
import { type OpenDatabase, openAlike, run } from '#kernel/db/db.ts';
import type { Liveness } from '#kernel/db/liveness.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import type { Logger } from '#kernel/log.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import { CHANNEL, createEnqueuing, type Enqueuing } from './enqueue.ts';
import type { Job, Schedule } from './job.ts';
import {
  type DeadLetter,
  deadLetters,
  type QueueStats,
  queueStats,
  touchJobs,
} from './job-stats.ts';
import { workersOf } from './kinds.ts';
import { redriveJobs } from './redrive.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { workSchedules } from './work.ts';
import type { JobEnd } from './worker.ts';

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
  /** Runs what is due from now on. */
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
  /** Whether a pooler is in between, which hands each transaction to another session. */
  readonly pooled?: boolean | undefined;
  /** False where something in between does not keep prepared statements. */
  readonly prepared?: boolean | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Opened {
  readonly queue: OpenDatabase;
  readonly dispatcher: Dispatcher;
  readonly scheduler: Scheduler;
}

interface JobsState extends JobsDeps {
  readonly db: Kysely<DB>;
  readonly jobs: Map<string, Job>;
  readonly schedules: Map<string, Schedule>;
  opened: Opened | undefined;
  timer: NodeJS.Timeout | undefined;
  listening: { close(): Promise<void> } | undefined;
  paused: Promise<unknown> | undefined;
  closed: Promise<void> | undefined;
}

/** Delayed jobs and retries are not announced; this is how late they may be noticed. */
const TICK_MS = 1000;
/** With what follows it has to fit into the grace of the whole service (see app.ts). */
const GRACE_MS = 5000;

/** Durable jobs and schedules on PostgreSQL. Asking for work needs nothing but the caller's transaction. */
export function createJobs({ pool, clock, log, presence, pooled, prepared }: JobsDeps): Jobs {
  const state: JobsState = {
    pool,
    clock,
    log,
    presence,
    pooled,
    prepared,
    db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }),
    jobs: new Map(),
    schedules: new Map(),
    opened: undefined,
    timer: undefined,
    listening: undefined,
    paused: undefined,
    closed: undefined,
  };
  return {
    ...createEnqueuing({ clock, jobs: state.jobs }),
    register: (jobs, schedules = []) => register(state, jobs, schedules),
    schedules: () => [...state.schedules.values()],
    start: () => start(state),
    pause: (graceMs = GRACE_MS) => pause(state, graceMs),
    stop: (graceMs = GRACE_MS) => stop(state, graceMs),
    drain: () => drain(state),
    advance: (ms) => advance(state, ms),
    stats: async () => ({
      ...(await queueStats(state.db)),
      endings: { ...opened(state).dispatcher.endings },
    }),
    check: async () => void (await touchJobs(state.db)),
    deadLetters: (limit = 100) => deadLetters(state.db, limit),
    redrive: (which) => redriveJobs(state.db, which),
  };
}

function register(
  state: JobsState,
  newJobs: readonly Job[],
  newSchedules: readonly Schedule[],
): void {
  const { jobs, schedules, opened } = state;
  if (opened) throw new Error('Jobs are registered before they are opened');
  const fresh = (name: string) => {
    if (jobs.has(name) || schedules.has(name)) throw new Error(`There are two jobs named ${name}`);
    return name;
  };
  for (const job of newJobs) jobs.set(fresh(job.name), job);
  for (const schedule of newSchedules) schedules.set(fresh(schedule.name), schedule);
  // The upkeep is needed as soon as one of them takes on rows.
  if (newJobs.some(({ rows }) => rows))
    for (const schedule of workSchedules(state, jobs)) schedules.set(schedule.name, schedule);
}

function opened(state: JobsState): Opened {
  state.opened ??= openNow(state);
  return state.opened;
}

/**
 * Looks and heartbeats have a connection of their own, made as the pool's are: where transactions have all of those, the
 * others must not take this process for one that is gone.
 */
function openNow({ pool, clock, log, db, prepared, pooled, ...state }: JobsState): Opened {
  const onError = (err: Error) => log.warn({ err }, 'database connection lost');
  const queue = openAlike(pool, { max: 1, prepared, pooled, onError });
  const schedules = [...state.schedules.values()];
  const machineTime = (at: Date) => new Date(at.getTime() - clock.offsetMs);
  const workers = workersOf([...state.jobs.values()], schedules);
  const dispatcher = createDispatcher({ pool: queue.pool, db, log, machineTime }, workers);
  return { queue, dispatcher, scheduler: createScheduler({ db, clock }, schedules) };
}

async function start(state: JobsState): Promise<void> {
  const { log } = state;
  const { dispatcher, scheduler } = opened(state);
  const report = (error: unknown) => log.error({ err: error }, 'Looking for jobs failed');
  let busy = false;
  const tick = async () => {
    if (busy) return;
    busy = true;
    try {
      await scheduler.tick();
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
  const open = state.opened;
  if (!open) return;
  // Notifications do not matter any more, nor how their connection ends.
  const deaf = state.listening?.close().catch(() => undefined);
  state.paused ??= Promise.all([open.dispatcher.stop(graceMs), deaf]);
  await state.paused;
}

async function stop(state: JobsState, graceMs: number): Promise<void> {
  await pause(state, graceMs);
  state.closed ??= state.opened?.queue.close();
  await state.closed;
}

async function drain(state: JobsState): Promise<Record<JobEnd, number>> {
  const { dispatcher, scheduler } = opened(state);
  const before = { ...dispatcher.endings };
  await scheduler.tick();
  await dispatcher.drain();
  const counts = { ...dispatcher.endings };
  for (const ending of Object.keys(counts) as JobEnd[]) counts[ending] -= before[ending];
  return counts;
}

async function advance(state: JobsState, ms: number): Promise<void> {
  const { dispatcher, scheduler } = opened(state);
  await run(
    state.db,
    `update jobs set due_at = due_at - $1::float8 * interval '1 millisecond'
     where state in ('waiting', 'retrying') and due_at > now()`,
    [ms],
  );
  await scheduler.tick();
  if (state.timer) await dispatcher.wake();
}
