import type pg from 'pg';
import { monotonicMs } from '#kernel/clock.ts';
import { endsWithin } from '#kernel/shutdown.ts';
import { LostClaim } from './job.ts';
import { runClaimed, takeOver } from './run-claimed.ts';
import { noteTurns, type RoomBeside, roomsOf, type Turns, takeTurn } from './turns.ts';
import type { Claimed, JobEnd, Queue, Worker } from './worker.ts';

export interface Dispatcher {
  /** How the runs of this process ended, since it started. */
  readonly endings: Readonly<Record<JobEnd, number>>;
  /** Starts the jobs that are due, as far as there is room; answers when it has looked. */
  wake(): Promise<void>;
  /** Runs until nothing is due and nothing runs here. */
  drain(): Promise<void>;
  /** Claims nothing more and waits for what runs; what takes longer is aborted. */
  stop(graceMs: number): Promise<void>;
}

interface Running {
  readonly job: Claimed;
  readonly startedMs: number;
  readonly controller: AbortController;
  /** It has done its work, and the next turn ends it. */
  isDone: boolean;
  ended: Promise<void>;
}

interface Done {
  readonly job: Claimed;
  readonly resolve: (isOurs: boolean) => void;
  readonly reject: (error: unknown) => void;
}

interface DispatcherDeps extends Omit<Queue, 'complete'> {
  /** The queue's own connection. */
  readonly pool: Pick<pg.Pool, 'query'>;
}

interface DispatcherState extends DispatcherDeps, Queue {
  readonly workers: ReadonlyMap<string, Worker>;
  readonly roomBeside: RoomBeside;
  readonly clientTurns: Turns;
  readonly running: Set<Running>;
  readonly endings: Record<JobEnd, number>;
  /** What the next turn ends: runs that end while one is on its way are ended together. */
  done: Done[];
  /** How many jobs were claimed so far. */
  claimed: number;
  asked: boolean;
  stopping: boolean;
  turning: Promise<void> | undefined;
  touching: NodeJS.Timeout | undefined;
}

/** No run may take longer: another process starts over. */
const RUN_MAX_MS = 900_000;
/** A process that has not shown for ten seconds that it is alive is gone. */
const TOUCH_MS = 3000;
/** How long a run may take to end after its signal was aborted. */
const ABORT_MS = 2000;
/** More runs than this without a pause are a job that calls for itself again and again. */
const DRAIN_MAX = 10_000;

/** Claims the due jobs of all kinds with one look, and runs and settles each on its own. */
export function createDispatcher(
  deps: DispatcherDeps,
  workers: ReadonlyMap<string, Worker>,
): Dispatcher {
  const clientTurns: Turns = new Map();
  const state: DispatcherState = {
    ...deps,
    complete: (job) => complete(state, job),
    workers,
    roomBeside: roomsOf(workers, clientTurns),
    clientTurns,
    running: new Set(),
    endings: { completed: 0, again: 0, failed: 0, dead: 0, lost: 0 },
    done: [],
    claimed: 0,
    asked: false,
    stopping: false,
    turning: undefined,
    touching: undefined,
  };
  return {
    endings: state.endings,
    wake: () => wake(state),
    drain: () => drain(state),
    stop: (graceMs) => stop(state, graceMs),
  };
}

async function wake(state: DispatcherState): Promise<void> {
  state.asked = true;
  await turns(state);
}

const isWanted = ({ asked, stopping, done }: DispatcherState): boolean =>
  (asked && !stopping) || done.length > 0;

/** One turn at a time, and another one when it became necessary during the last. */
async function turns(state: DispatcherState): Promise<void> {
  // One that ends before it has begun would stay noted as under way, and a drain wait for it for ever.
  if (isWanted(state)) state.turning ??= turnWhileWanted(state);
  await state.turning;
}

async function turnWhileWanted(state: DispatcherState): Promise<void> {
  const faults: unknown[] = [];
  while (isWanted(state)) await turn(state).catch((error) => void faults.push(error));
  state.turning = undefined;
  if (faults.length > 0) throw faults[0];
}

/** Runs that end here leave their room to what is taken by the same statement. */
async function turn(state: DispatcherState): Promise<void> {
  const { pool, running, stopping } = state;
  const done = state.done.splice(0);
  const beside = state.roomBeside(jobsOf([...running].filter(({ isDone }) => !isDone)));
  const most = stopping ? 0 : Math.max(beside.most, 0);
  const room = { ...beside, most };
  state.asked = false;
  if (done.length === 0 && most === 0) return;
  try {
    const { ended, taken } = await takeTurn(pool, jobsOf(done), room);
    noteTurns(state.clientTurns, room, taken);
    for (const { job, resolve } of done) resolve(ended.has(job.id));
    state.claimed += taken.length;
    for (const job of taken) start(state, job);
  } catch (error) {
    for (const { reject } of done) reject(error);
    throw error;
  }
}

const jobsOf = (all: readonly { readonly job: Claimed }[]): Claimed[] => all.map(({ job }) => job);

/** By the next turn. */
function complete(state: DispatcherState, job: Claimed): Promise<boolean> {
  for (const run of state.running) if (run.job === job) run.isDone = true;
  return new Promise((resolve, reject) => {
    state.done.push({ job, resolve, reject });
    // Those that wait for it hear why it has failed.
    turns(state).catch(() => undefined);
  });
}

function start(state: DispatcherState, job: Claimed): void {
  const worker = state.workers.get(job.name);
  if (!worker) throw new Error(`A job ${job.name} was taken that this process does not know`);
  const controller = new AbortController();
  const begun = { job, startedMs: monotonicMs(), controller, isDone: false };
  const run: Running = { ...begun, ended: Promise.resolve() };
  state.running.add(run);
  state.touching ??= setInterval(() => touch(state), TOUCH_MS);
  run.ended = settle(state, worker, run);
}

async function settle(state: DispatcherState, worker: Worker, run: Running): Promise<void> {
  const { endings, log } = state;
  if (run.job.state === 'lapsed') await takeOver(state, worker, run.job);
  else endings[await runClaimed(state, worker, run.job, run.controller.signal)] += 1;
  state.running.delete(run);
  // The turn that has ended it has looked already. Otherwise there is room now for what had to wait.
  if (!run.isDone)
    wake(state).catch((error) => log.error({ err: error }, 'Looking for jobs failed'));
}

const TOUCH = `
  update jobs j set due_at = now() + interval '10 seconds'
  from unnest($1::uuid[], $2::integer[]) as run (id, attempt)
  where j.id = run.id and j.attempt = run.attempt and j.state = 'active' returning j.id`;

/** Shows the others that this process is alive, and aborts handlers that have lost their job. */
function touch(state: DispatcherState): void {
  const { pool, running, log } = state;
  if (running.size === 0) {
    clearInterval(state.touching);
    state.touching = undefined;
    return;
  }
  const isLate = ({ startedMs }: Running) => monotonicMs() - startedMs > RUN_MAX_MS;
  const all = [...running].filter(({ isDone }) => !isDone);
  for (const { job, controller } of all.filter(isLate)) controller.abort(new LostClaim(job.name));
  const alive = all.filter((run) => !isLate(run));
  const values = [alive.map(({ job }) => job.id), alive.map(({ job }) => job.attempt)];
  pool.query<{ id: string }>(TOUCH, values).then(
    ({ rows }) => {
      const found = new Set(rows.map(({ id }) => id));
      for (const { job, controller } of alive)
        if (!found.has(job.id)) controller.abort(new LostClaim(job.name));
    },
    (error) => log.warn({ err: error }, 'A heartbeat failed'),
  );
}

async function drain(state: DispatcherState): Promise<void> {
  const most = state.claimed + DRAIN_MAX;
  await wake(state);
  while (state.running.size > 0 || state.turning || isWanted(state)) {
    await turns(state);
    await ends(state);
    if (state.claimed > most) throw new Error('Jobs call for more jobs without a pause');
  }
}

async function stop(state: DispatcherState, graceMs: number): Promise<void> {
  state.stopping = true;
  await state.turning?.catch(() => {});
  await endsWithin(ends(state), graceMs);
  const reason = new Error('The process is stopping');
  for (const { controller } of state.running) controller.abort(reason);
  // A run that ignores its signal is taken over by another process once its lease is over.
  await endsWithin(ends(state), ABORT_MS);
  clearInterval(state.touching);
}

const ends = ({ running }: DispatcherState) => Promise.all([...running].map((run) => run.ended));
