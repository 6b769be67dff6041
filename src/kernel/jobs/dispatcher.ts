import { monotonicMs } from '#kernel/clock.ts';
import { inTime } from '#kernel/ending.ts';
import { RUN_MAX_S } from './boss.ts';
import { createCompletions } from './completions.ts';
import { affected, failJob } from './fail-job.ts';
import { LostClaim } from './job.ts';
import { type Claimed, type JobEnd, type Queue, runClaimed, type Worker } from './run-claimed.ts';

export interface Dispatcher {
  /** How the runs of this process ended, since it started. */
  readonly endings: Readonly<Record<JobEnd, number>>;
  /** Starts the jobs that are due, as far as there is room; answers when it has looked. */
  wake(): Promise<void>;
  /** Runs until nothing is due and nothing runs here. */
  drain(): Promise<void>;
  /** Fails the jobs of processes that are gone, so that they are tried again. */
  reclaim(): Promise<void>;
  /** Claims nothing more and waits for what runs; what takes longer is aborted. */
  stop(graceMs: number): Promise<void>;
}

interface Running {
  readonly job: Claimed;
  readonly startedMs: number;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

interface DispatcherState extends Queue {
  readonly workers: ReadonlyMap<string, Worker>;
  readonly running: Map<string, Running>;
  /** The client that had the last turn in each queue in which more may wait than there was room for. */
  readonly turns: Map<string, string>;
  readonly endings: Record<JobEnd, number>;
  /** How many jobs were claimed so far. */
  claimed: number;
  asked: boolean;
  stopping: boolean;
  draining: Promise<void> | undefined;
  touching: NodeJS.Timeout | undefined;
}

/** At most so many jobs at a time in one process. */
const RUNNING_MAX = 20;
const TOUCH_MS = 3000;
/** How long a run may take to end after its signal was aborted. */
const ABORT_MS = 2000;
/** More runs than this without a pause are a job that calls for itself again and again. */
const DRAIN_MAX = 10_000;

/** The queues in which something is due, whether this process knows them or not. */
export const DUE = 'select due_queues() as name';

/**
 * Takes what is due of these queues in their order, of each at most its room, of all at most so many: where there is a turn,
 * of each client in its turn, else what waits for longest (migration 0093).
 */
export const TAKE = 'select * from take_in_turn($1, $2, $3, $4)';

const GONE = `
  select name, id, retry_count as "retryCount",
    retry_limit as "retryLimit" from pgboss.job
  where state = 'active' and name = any($1::text[])
    and heartbeat_on + heartbeat_seconds * interval '1 second' < now()`;

/**
 * Claims the due jobs of all queues with one look, and runs and settles each on its own. (The
 * workers of pg-boss poll every queue separately and hold a batch back for its slowest job.)
 */
export function createDispatcher(
  queue: Omit<Queue, 'complete'>,
  workers: ReadonlyMap<string, Worker>,
): Dispatcher {
  const state: DispatcherState = {
    ...queue,
    complete: createCompletions(queue.boss),
    workers,
    running: new Map(),
    turns: new Map(),
    endings: { completed: 0, again: 0, failed: 0, dead: 0, lost: 0 },
    claimed: 0,
    asked: false,
    stopping: false,
    draining: undefined,
    touching: undefined,
  };
  return {
    endings: state.endings,
    wake: () => wake(state),
    drain: () => drain(state),
    reclaim: () => reclaim(state),
    stop: (graceMs) => stop(state, graceMs),
  };
}

async function wake(state: DispatcherState): Promise<void> {
  state.asked = true;
  // A look that ends before it has begun would stay noted as under way, and a drain wait for it for ever.
  if (!state.stopping) state.draining ??= drainDue(state);
  await state.draining;
}

/** One look at a time, and another one when asked for during the last. */
async function drainDue(state: DispatcherState): Promise<void> {
  try {
    while (state.asked && !state.stopping) {
      state.asked = false;
      await take(state);
    }
  } finally {
    state.draining = undefined;
  }
}

/** Starts what is due, as far as there is room; the queues with the least running come first, so that none is starved. */
async function take(state: DispatcherState): Promise<void> {
  const { boss, workers, running, turns } = state;
  if (running.size >= RUNNING_MAX) return;
  const { rows } = await boss.getDb().executeSql(DUE);
  const open = rows
    .map(({ name }: { name: string }) => ({ name, ...roomOf(state, name) }))
    .filter(({ room }) => room > 0)
    .sort((a, b) => a.mine - b.mine);
  if (open.length === 0 || state.stopping) return;
  // Runs may have ended since; none has begun.
  const most = RUNNING_MAX - running.size;
  const names = open.map(({ name }) => name);
  const last = names.map((name) => turns.get(name) ?? null);
  const values = [names, open.map(({ room }) => room), last, most];
  const { rows: taken } = await boss.getDb().executeSql(TAKE, values);
  state.claimed += taken.length;
  noteTurns(turns, open, { taken, isAll: taken.length < most });
  for (const job of taken as Claimed[]) {
    const worker = workers.get(job.name);
    if (worker) start(state, worker, job);
  }
}

/**
 * Clients have turns only where more may wait than there was room for, since turns cost more than to take what there is.
 * Where all of a process's room was used up, of a queue of which nothing was taken nothing is known either.
 */
function noteTurns(
  turns: Map<string, string>,
  open: readonly { readonly name: string; readonly room: number }[],
  { taken, isAll }: { readonly taken: readonly Claimed[]; readonly isAll: boolean },
): void {
  for (const { name, room } of open) {
    const jobs = taken.filter((job) => job.name === name);
    const last = jobs.at(-1);
    if (last && (jobs.length >= room || !isAll)) turns.set(name, last.groupId ?? '');
    else if (isAll) turns.delete(name);
  }
}

/** How many of a queue run here, and how many more may. Of one that is not ours none. */
function roomOf({ workers, running }: DispatcherState, name: string) {
  const mine = [...running.values()].filter(({ job }) => job.name === name).length;
  return { mine, room: (workers.get(name)?.concurrency ?? 0) - mine };
}

function start(state: DispatcherState, worker: Worker, job: Claimed): void {
  const { running, endings, log } = state;
  const controller = new AbortController();
  const ended = runClaimed(state, worker, job, controller.signal).then((ending) => {
    endings[ending] += 1;
    running.delete(job.id);
    // There is room now for what had to wait.
    wake(state).catch((error) => log.error({ err: error }, 'Looking for jobs failed'));
  });
  running.set(job.id, { job, startedMs: monotonicMs(), controller, ended });
  state.touching ??= setInterval(() => touch(state), TOUCH_MS);
}

/** Shows the others that this process is alive, and aborts handlers that have lost their job. */
function touch(state: DispatcherState): void {
  const { boss, running, log } = state;
  if (running.size === 0) {
    clearInterval(state.touching);
    state.touching = undefined;
  }
  for (const { job, startedMs, controller } of running.values()) {
    const { name, id, retryCount } = job;
    if (monotonicMs() - startedMs > RUN_MAX_S * 1000) controller.abort(new LostClaim(name));
    boss.touch(name, { id, retryCount }).then(
      (touched) => affected(touched) || controller.abort(new LostClaim(name)),
      (error) => log.warn({ err: error, job: name, id }, 'A heartbeat failed'),
    );
  }
}

async function reclaim({ boss, db, workers, log }: DispatcherState): Promise<void> {
  const { rows } = await boss.getDb().executeSql(GONE, [[...workers.keys()]]);
  for (const job of rows) {
    log.warn({ job: job.name, id: job.id }, 'The process that ran a job is gone');
    await failJob({ boss, db }, job, 'The process that ran it is gone');
  }
}

async function drain(state: DispatcherState): Promise<void> {
  const most = state.claimed + DRAIN_MAX;
  let before: number;
  do {
    before = state.claimed;
    await wake(state);
    await ends(state);
    if (state.claimed > most) throw new Error('Jobs call for more jobs without a pause');
    // Whoever has just ended may be looking for the next one.
  } while (state.claimed > before || state.running.size > 0 || state.draining);
}

async function stop(state: DispatcherState, graceMs: number): Promise<void> {
  state.stopping = true;
  await state.draining?.catch(() => {});
  await inTime(ends(state), graceMs);
  const reason = new Error('The process is stopping');
  for (const { controller } of state.running.values()) controller.abort(reason);
  // A run that ignores its signal is taken over by another process once its heartbeat lapses.
  await inTime(ends(state), ABORT_MS);
  clearInterval(state.touching);
}

const ends = ({ running }: DispatcherState) =>
  Promise.all([...running.values()].map((run) => run.ended));
