import { clientNow } from '#kernel/cause.ts';
import type { Clock } from '#kernel/clock.ts';
import { type Db, runLater } from '#kernel/db/db.ts';
import type { Job } from './job.ts';

/** Where jobs that are due at once are announced. Only a hint: the tick finds them as well. */
export const CHANNEL = 'jobs';

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
   * Asks for work in the caller's transaction: the job exists when, and only when, that commits. It is written together
   * with the transaction's next statement or its end.
   */
  enqueue<P>(tx: Db, job: Job<P>, payload: P, options?: EnqueueOptions): Promise<void>;
  /** Asks for several of a kind at once; of a key that waits already the one runs at the earlier time. */
  enqueueAll<P>(tx: Db, job: Job<P>, wanted: readonly WantedJob<P>[], at?: Date): Promise<void>;
  /** Takes back what waits under these keys and has not begun, in the caller's transaction. */
  dismiss<P>(tx: Db, job: Job<P>, keys: readonly string[]): Promise<void>;
}

interface Deps {
  readonly clock: Clock;
  /** Those that are known, by name. */
  readonly jobs: ReadonlyMap<string, Job>;
}

/** Writes jobs into the queue's table on the caller's connection. */
export function createEnqueuing(deps: Deps): Enqueuing {
  return {
    enqueue: (tx, job, payload, options = {}) => enqueue(deps, tx, job, { payload, ...options }),
    enqueueAll: (tx, job, wanted, at) => enqueueAll(deps, tx, job, { wanted, at }),
    dismiss: (tx, { name }, keys) => runLater(tx, DISMISS, [name, keys]),
  };
}

async function enqueue<P>(
  deps: Deps,
  tx: Db,
  { name }: Job<P>,
  { payload, key, at }: EnqueueOptions & { readonly payload: P },
): Promise<void> {
  mustBeKnown(deps, name);
  const values = [name, key ?? null, textOf(payload), machineTimeOf(deps, at), CHANNEL];
  await runLater(tx, ENQUEUE, [...values, clientNow() ?? null]);
}

async function enqueueAll<P>(
  deps: Deps,
  tx: Db,
  { name }: Job<P>,
  { wanted, at }: { readonly wanted: readonly WantedJob<P>[]; readonly at: Date | undefined },
): Promise<void> {
  mustBeKnown(deps, name);
  if (wanted.length === 0) return;
  const first = new Map(wanted.toReversed().map(({ key, payload }) => [key, textOf(payload)]));
  const columns = [[...first.keys()], [...first.values()]];
  const values = [name, ...columns, machineTimeOf(deps, at), CHANNEL, clientNow() ?? null];
  await runLater(tx, ENQUEUE_ALL, values);
}

const textOf = (payload: unknown): string => JSON.stringify(payload ?? null);

function mustBeKnown({ jobs }: Deps, name: string): void {
  if (!jobs.has(name)) throw new Error(`The job ${name} is not registered`);
}

/** Nothing for what is due. */
const machineTimeOf = ({ clock }: Deps, at: Date | undefined): string | null =>
  at && at > clock.now() ? new Date(at.getTime() - clock.offsetMs).toISOString() : null;

/** A job that waits is kept from starting from then on until the transaction ends: it must see what that did. */
const OR_EARLIER = `on conflict (name, key) where state = 'waiting' and key is not null
    do update set due_at = least(j.due_at, excluded.due_at)`;
const ANNOUNCE = `case when $4::timestamptz is null then pg_notify($5, $1) end`;

const ENQUEUE = `
  with made as (
    insert into jobs as j (name, key, data, due_at, client_id)
    values ($1, $2, $3::jsonb, coalesce($4::timestamptz, now()), $6::integer) ${OR_EARLIER})
  select ${ANNOUNCE}`;

/** In the order of keys, so that transactions that ask for the same ones wait for each other in one direction. */
const ENQUEUE_ALL = `
  with made as (
    insert into jobs as j (name, key, data, due_at, client_id)
    select $1, key, data::jsonb, coalesce($4::timestamptz, now()), $6::integer
    from unnest($2::text[], $3::text[]) as wanted (key, data) order by key ${OR_EARLIER})
  select ${ANNOUNCE}`;

const DISMISS = `
  delete from jobs where name = $1 and key = any($2::text[]) and state = 'waiting'`;
