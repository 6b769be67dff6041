import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import type { Job } from '#kernel/jobs/job.ts';
import type { Jobs } from '#kernel/jobs/jobs.ts';
import type { Logger } from '#kernel/log.ts';
import type { AnyEffect, Settled } from './effect.ts';
import type { NewEffect, Step } from './effect-store.ts';
import type { Refusal } from './outcome.ts';

/** What the parts of the effects share. */
export interface Runner {
  readonly db: Kysely<DB>;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Logger;
  readonly kinds: Map<string, KnownEffects>;
}

/** The job that follows an effect up. */
export interface Follow {
  readonly id: string;
}

/** The ways an effect ends, each in one transaction with what it means. */
export interface Conclusion {
  /** False where it has ended already. */
  settle(
    opening: NewEffect,
    settled: Settled<unknown, unknown>,
    steps: readonly Step[],
  ): Promise<boolean>;
  /** False where it has ended already, is another attempt's, was called since, or may still happen. */
  refuse(opening: NewEffect, row: unknown, why: Refusal, by: EndedBy): Promise<boolean>;
  /** Where the intent is there no more, and nothing has to be given back. */
  abandon(opening: NewEffect, why: Refusal): Promise<boolean>;
}

export interface EndedBy {
  /** The lease, where there is one: only its attempt may refuse. */
  readonly attempt: string | undefined;
  readonly steps: readonly Step[];
  /** Where it is refused as never seen: no process may have called since. */
  readonly calledBefore?: Date | undefined;
}

export interface KnownEffects {
  readonly effect: AnyEffect;
  readonly job: Job<Follow>;
  readonly conclusion: Conclusion;
}

/** An effect that this request has begun, and is to drive. */
export interface Intent {
  /** The lease, where there is one. */
  readonly attempt: string | undefined;
  readonly beganAt: Date;
  /** The call that was counted may begin until then. */
  readonly callUntil: Date;
}

export interface DriveOptions<R, S> {
  /** What `begin` answered, where this request has begun it. */
  readonly intent?: Intent | undefined;
  /** The row as this request has just written it: what `open` would answer. */
  readonly row?: R | undefined;
  readonly secret?: S;
  readonly owner?: string;
  readonly signal?: AbortSignal;
  /** How long to wait for another attempt that has an exclusive effect. */
  readonly patienceMs?: number;
}

/** The known kind of that name, with its job and the way it ends. */
export function knownOf({ kinds }: Runner, kind: string): KnownEffects {
  const known = kinds.get(kind);
  if (!known) throw new Error(`The effect ${kind} is not registered`);
  return known;
}
