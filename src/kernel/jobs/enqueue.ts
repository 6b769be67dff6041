import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { clientNow } from '#kernel/cause.ts';
import type { Clock } from '#kernel/clock.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { within } from './boss.ts';
import type { Job } from './job.ts';

export interface EnqueueOptions {
  /** While a job of the same key waits, no second one is made: the one runs at the earlier time. */
  readonly key?: string;
  /** Not before this time, by the service's clock. */
  readonly at?: Date;
}

/** One of several jobs that are asked for at once. */
export interface WantedJob<P> {
  readonly payload: P;
  readonly key: string;
}

/** What is asked of the queue within a caller's transaction. */
export interface Enqueuing {
  /**
   * Asks for work in the caller's transaction: the job exists when, and only when, that commits.
   * Answers false when one of the same key was waiting already.
   */
  enqueue<P>(tx: Db, job: Job<P>, payload: P, options?: EnqueueOptions): Promise<boolean>;
  /** Asks for several of a kind at once; of a key that waits already the one runs at the earlier time. */
  enqueueAll<P>(tx: Db, job: Job<P>, wanted: readonly WantedJob<P>[], at?: Date): Promise<void>;
  /** Takes back what waits under these keys and has not begun, in the caller's transaction. */
  dismiss<P>(tx: Db, job: Job<P>, keys: readonly string[]): Promise<void>;
}

interface Deps {
  readonly clock: Clock;
  /** Those that are known, by name. */
  readonly jobs: ReadonlyMap<string, Job>;
  boss(): Promise<PgBoss>;
}

/** Writes jobs into the queue's tables on the caller's connection. */
export function createEnqueuing(deps: Deps): Enqueuing {
  return {
    enqueue: (tx, job, payload, options = {}) => enqueue(deps, tx, job, { payload, ...options }),
    enqueueAll: (tx, job, wanted, at) => enqueueAll(deps, tx, job, { wanted, at }),
    dismiss: async (tx, { name }, keys) => void (await run(tx, DISMISS, [name, keys])),
  };
}

async function enqueue<P>(
  deps: Deps,
  tx: Db,
  { name }: Job<P>,
  { payload, key, at }: EnqueueOptions & { readonly payload: P },
): Promise<boolean> {
  const boss = await bossFor(deps, name);
  const startAfter = machineTimeOf(deps, at);
  for (;;) {
    const id = randomUUID();
    const options = {
      id,
      singletonKey: key ?? id,
      ...(startAfter && { startAfter }),
      ...ofClient(),
    };
    if (await boss.send(name, payload as object, { ...options, db: within(tx) })) return true;
    // The waiting job is kept from starting until this transaction ends: it must see what it did.
    const waiting = await run(tx, BRING_FORWARD, [name, key, startAfter?.toISOString() ?? null]);
    if (waiting.length > 0) return false;
  }
}

async function enqueueAll<P>(
  deps: Deps,
  tx: Db,
  job: Job<P>,
  { wanted, at }: { readonly wanted: readonly WantedJob<P>[]; readonly at: Date | undefined },
): Promise<void> {
  const startAfter = machineTimeOf(deps, at);
  const jobs = wanted.map(({ payload, key }) => ({
    id: randomUUID(),
    data: payload as object,
    singletonKey: key,
    ...(startAfter && { startAfter }),
    ...ofClient(),
  }));
  if (jobs.length === 0) return;
  const boss = await bossFor(deps, job.name);
  const made = await boss.insert(job.name, jobs, { returnId: true, db: within(tx) });
  const isMade = new Set(made);
  for (const [i, one] of wanted.entries())
    if (!isMade.has(jobs[i]?.id ?? '')) await enqueue(deps, tx, job, { ...one, ...(at && { at }) });
}

async function bossFor({ jobs, boss }: Deps, name: string): Promise<PgBoss> {
  if (!jobs.has(name)) throw new Error(`The job ${name} is not registered`);
  return boss();
}

/** Nothing for what is due. */
const machineTimeOf = ({ clock }: Deps, at: Date | undefined): Date | undefined =>
  at && at > clock.now() ? new Date(at.getTime() - clock.offsetMs) : undefined;

/** By which each client has its turn (migration 0093). */
function ofClient(): { readonly group?: { readonly id: string } } {
  const client_id = clientNow();
  return client_id === undefined ? {} : { group: { id: `${client_id}` } };
}

const BRING_FORWARD = `
  update pgboss.job_common
  set start_after = least(start_after, coalesce($3::timestamptz, now()))
  where name = $1 and coalesce(singleton_key, '') = $2 and state = 'created' and policy = 'short'
  returning id`;

const DISMISS = `
  delete from pgboss.job_common
  where name = $1 and singleton_key = any($2::text[]) and state = 'created'`;
