import type { Kysely } from 'kysely';
import type { DB } from '#kernel/db/schema.generated.ts';
import type { Logger } from '#kernel/log.ts';
import type { JobAnswer, JobContext, WorkRows } from './job.ts';

/** A job that this process has taken; what it is and how often it was tried. */
export interface Claimed {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  /** 1 for the first. */
  readonly attempt: number;
  readonly key: string | null;
  /** The client whose request has led to it, where that is known. */
  readonly client_id: number | null;
  /** Why the job failed of which this one was made, in versions before the view `work`. */
  readonly error: string | null;
  /** `lapsed` where another process had it, and is gone: that attempt has failed. */
  readonly state: 'active' | 'lapsed';
}

/** What is done with the jobs of one name. */
export interface Worker {
  readonly concurrency: number;
  readonly attempts: number;
  /** What is left of a job whose last attempt has failed: of one that takes on rows, a row that is stalled. */
  readonly afterLast: 'dead letter' | 'nothing' | WorkRows;
  run(payload: unknown, context: JobContext, job: Claimed): JobAnswer;
}

/** How a run ended. After `failed` it is tried again, after `dead` it is not. */
export type JobEnd = 'completed' | 'again' | 'failed' | 'dead' | 'lost';

export interface Queue {
  readonly db: Kysely<DB>;
  readonly log: Logger;
  /** Ends a run; false where another process has taken its job over. */
  complete(job: Claimed): Promise<boolean>;
  /** The machine's time at a time the service names: its clock may be ahead. */
  machineTime(at: Date): Date;
}
