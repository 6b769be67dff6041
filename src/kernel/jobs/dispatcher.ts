import { monotonicMs } from '#kernel/clock.ts';
import { inTime } from '#kernel/ending.ts';
import { RUN_MAX_S } from './boss.ts';
import { LostClaim } from './job.ts';
import {
  affected,
  type Claimed,
  type Ending,
  type Queue,
  runClaimed,
  type Worker,
} from './run-claimed.ts';

export interface Dispatcher {
  /** How the runs of this process ended, since it started. */
  readonly endings: Readonly<Record<Ending, number>>;
  /** Starts whatever is due as far as there is room; answers when it has been looked for. */
  poke(): Promise<void>;
  /** Runs until nothing is due and nothing runs here. */
  drain(): Promise<void>;
  /** Fails the jobs of processes that are gone, so that they are tried again. */
  reclaim(): Promise<void>;
  /** Claims nothing more and waits for what runs; what takes longer is told to give up. */
  stop(graceMs: number): Promise<void>;
}

interface Running {
  readonly job: Claimed;
  readonly startedMs: number;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

interface Floor extends Queue {
  readonly workers: ReadonlyMap<string, Worker>;
  readonly running: Map<string, Running>;
  readonly endings: Record<Ending, number>;
  /** How many jobs were claimed so far. */
  claimed: number;
  asked: boolean;
  stopping: boolean;
  pumping: Promise<void> | undefined;
  touching: NodeJS.Timeout | undefined;
}

/** At most so many jobs at a time in one process. */
const RUNNING_MAX = 20;
const TOUCH_MS = 3000;
/** How long a run may take to give up when it is told to. */
const ABORT_MS = 2000;
/** More runs than this without a pause are a job that calls for itself again and again. */
const DRAIN_MAX = 10_000;

const DUE = `
  select q.name from unnest($1::text[]) as q (name)
  where exists (
    select from pgboss.job j
    where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
  )`;

const GONE = `
  select name, id, retry_count as "retryCount" from pgboss.job
  where state = 'active' and name = any($1::text[])
    and heartbeat_on + heartbeat_seconds * interval '1 second' < now()`;

/**
 * Claims the due jobs of all queues with one look, and runs and settles each on its own. (The
 * workers of pg-boss poll every queue separately and hold a batch back for its slowest job.)
 */
export function createDispatcher(queue: Queue, workers: ReadonlyMap<string, Worker>): Dispatcher {
  const floor: Floor = {
    ...queue,
    workers,
    running: new Map(),
    endings: { completed: 0, again: 0, failed: 0, dead: 0, lost: 0 },
    claimed: 0,
    asked: false,
    stopping: false,
    pumping: undefined,
    touching: undefined,
  };
  return {
    endings: floor.endings,
    poke: () => poke(floor),
    drain: () => drain(floor),
    reclaim: () => reclaim(floor),
    stop: (graceMs) => stop(floor, graceMs),
  };
}

function poke(floor: Floor): Promise<void> {
  floor.asked = true;
  floor.pumping ??= pump(floor);
  return floor.pumping;
}

/** One look at a time, and another one when somebody asked during the last. */
async function pump(floor: Floor): Promise<void> {
  try {
    while (floor.asked && !floor.stopping) {
      floor.asked = false;
      for (const name of await due(floor)) await claim(floor, name);
    }
  } finally {
    floor.pumping = undefined;
  }
}

/** The queues with something due; those with the least running first, so that none is starved. */
async function due(floor: Floor): Promise<string[]> {
  const { rows } = await floor.boss.getDb().executeSql(DUE, [[...floor.workers.keys()]]);
  const names = rows.map(({ name }: { name: string }) => name);
  return names.sort((a, b) => runningOf(floor, a) - runningOf(floor, b));
}

const runningOf = ({ running }: Floor, name: string): number =>
  [...running.values()].filter(({ job }) => job.name === name).length;

async function claim(floor: Floor, name: string): Promise<void> {
  const { boss, workers, running } = floor;
  const worker = workers.get(name);
  if (!worker || floor.stopping) return;
  const mine = runningOf(floor, name);
  const room = Math.min(RUNNING_MAX - running.size, worker.concurrency - mine);
  if (room <= 0) return;
  const jobs = await boss.fetch<unknown>(name, { batchSize: room, includeMetadata: true });
  floor.claimed += jobs.length;
  for (const job of jobs) begin(floor, worker, job);
}

function begin(floor: Floor, worker: Worker, job: Claimed): void {
  const { running, endings, log } = floor;
  const controller = new AbortController();
  const ended = runClaimed(floor, worker, job, controller.signal).then((ending) => {
    endings[ending] += 1;
    running.delete(job.id);
    // There is room now for what had to wait.
    poke(floor).catch((error) => log.error({ err: error }, 'Looking for jobs failed'));
  });
  running.set(job.id, { job, startedMs: monotonicMs(), controller, ended });
  floor.touching ??= setInterval(() => touch(floor), TOUCH_MS);
}

/** Tells the others that this process is alive, and its handlers when they have lost their job. */
function touch(floor: Floor): void {
  const { boss, running, log } = floor;
  if (running.size === 0) {
    clearInterval(floor.touching);
    floor.touching = undefined;
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

async function reclaim({ boss, workers, log }: Floor): Promise<void> {
  const { rows } = await boss.getDb().executeSql(GONE, [[...workers.keys()]]);
  for (const { name, id, retryCount } of rows) {
    log.warn({ job: name, id }, 'The process that ran a job is gone');
    await boss.fail(name, { id, retryCount }, { message: 'The process that ran it is gone' });
  }
}

async function drain(floor: Floor): Promise<void> {
  const most = floor.claimed + DRAIN_MAX;
  let before: number;
  do {
    before = floor.claimed;
    await poke(floor);
    await ends(floor);
    if (floor.claimed > most) throw new Error('Jobs call for more jobs without a pause');
  } while (floor.claimed > before || floor.running.size > 0);
}

async function stop(floor: Floor, graceMs: number): Promise<void> {
  floor.stopping = true;
  await floor.pumping?.catch(() => {});
  await inTime(ends(floor), graceMs);
  const reason = new Error('The process is stopping');
  for (const { controller } of floor.running.values()) controller.abort(reason);
  // Whoever does not listen even to that is taken over when the heartbeat ends.
  await inTime(ends(floor), ABORT_MS);
  clearInterval(floor.touching);
}

const ends = ({ running }: Floor) => Promise.all([...running.values()].map((run) => run.ended));
