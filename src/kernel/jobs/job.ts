import type { Db } from '#kernel/db/db.ts';

/** What a handler knows about the run it is in. */
export interface JobContext {
  /** 1 for the first try. */
  readonly attempt: number;
  /** No other try follows when this one fails. */
  readonly last: boolean;
  /** The same in every attempt: fit to be the idempotency key of what the job calls. */
  readonly key: string;
  /** Aborted when another process has taken the job over, or when this one is stopping. */
  readonly signal: AbortSignal;
  /**
   * Marks the job as done inside the handler's own transaction, so that its effects and its end are
   * one. Throws LostClaim when another process has taken the job over: let it undo the transaction.
   */
  completeWithin(tx: Db): Promise<void>;
}

/** Asks for the same job again at that time (service time), as a first attempt. */
export interface Again {
  readonly again: Date;
}

export type JobAnswer = Promise<Again | undefined>;

/**
 * Work that survives a crash: run at least once, outside any transaction, after the transaction
 * that asked for it has committed. Two runs may overlap after a process hung, so effects must be
 * guarded by the rows they change.
 */
export interface Job<P = unknown> {
  /** Lower case with dots and dashes; each row of the queue has it. */
  readonly name: string;
  /** Tries before it becomes a dead letter; waits double from 2 s to 1 h between them. */
  readonly attempts: number;
  /** At most so many at a time in one process. */
  readonly concurrency: number;
  /** Anything thrown is a failed attempt. */
  run(payload: P, context: JobContext): JobAnswer;
  /** The open rows that it takes on: where every attempt has failed, its row stalls, and no dead letter is left. */
  readonly rows?: WorkRows;
}

/** Open rows of one kind, each taken on by a job under its key (the view `work`). */
export interface WorkRows {
  readonly what: 'effect' | 'flow' | 'inbox';
  readonly kind: string;
  /** How long a row is kept after its end; for ever where this is absent. */
  readonly keptMs?: number;
  /** Asks again for the job of a row that has lost it. */
  follow(tx: Db, id: string): Promise<void>;
}

/** Work by the clock: one run per due time over all processes, one run for any number missed. */
export interface Schedule {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly attempts: number;
  /** `due` is the service time this run is for. A run never starts while the last is unfinished. */
  run(context: JobContext & { readonly due: Date }): Promise<void>;
}

const ATTEMPTS = 12;
const CONCURRENCY = 5;
const NAME = /^[a-z][a-z0-9.-]{0,79}$/;

type Defaults = 'attempts' | 'concurrency';

/** Names a job and what it does. The payload is kept as JSON. */
export function defineJob<P>(
  job: Omit<Job<P>, Defaults> & Partial<Pick<Job<P>, Defaults>>,
): Job<P> {
  if (!NAME.test(job.name)) throw new Error(`${job.name} is not a name for a job`);
  return { attempts: ATTEMPTS, concurrency: CONCURRENCY, ...job };
}

/** Names a schedule; `cron` has five fields, or six with seconds, in `timezone` (UTC by default). */
export function defineSchedule(
  schedule: Omit<Schedule, 'timezone' | 'attempts'> &
    Partial<Pick<Schedule, 'timezone' | 'attempts'>>,
): Schedule {
  if (!NAME.test(schedule.name)) throw new Error(`${schedule.name} is not a name for a schedule`);
  return { timezone: 'UTC', attempts: ATTEMPTS, ...schedule };
}

/** Another process owns the job by now: what this one was about to commit must not happen. */
export class LostClaim extends Error {
  override readonly name = 'LostClaim';
}
