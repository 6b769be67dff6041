import type { InDoubt, OpenEffects } from '#kernel/effects/effect-upkeep.ts';
import type { OpenInbox } from '#kernel/effects/inbox-store.ts';
import type { DeadLetter, QueueStats } from '#kernel/jobs/job-stats.ts';
import type { OpenBreaks } from '#kernel/reconciliation/break-store.ts';

/** All unfinished work, as an operator sees it. */
export interface OpenWork {
  readonly queues: QueueStats[];
  readonly dead_letters: DeadLetter[];
  /** Calls to the outside whose outcome is unknown, by kind. */
  readonly effects: OpenEffects[];
  /** Inbound events that are not handled, by sender. */
  readonly inbox: OpenInbox[];
  /** Flows by type and state. */
  readonly flows: { type: string; state: string; count: number; stalled: number }[];
  /** Stalled work that needs a person, oldest first. */
  readonly stalled: Stalled[];
  /** Unexplained differences between our books and another side's, by rail. */
  readonly breaks: OpenBreaks[];
  /** Received money that matches no payment and waits for the operator, by rail and reason. */
  readonly unmatched: Unmatched[];
  /** Money that was returned twice, oldest first. */
  readonly returned_twice: ReturnedTwice[];
  /** Payments of which the other side reports another sum than our books, oldest first. */
  readonly discrepancies: SumDifference[];
  /** Each call whose outcome is unknown, oldest first. */
  readonly in_doubt: InDoubt[];
}

export interface Unmatched {
  readonly rail: string;
  readonly reason: string;
  readonly open: number;
}

export interface ReturnedTwice {
  readonly payment: string;
  readonly currency: string;
  readonly amount: string;
  readonly since: string;
}

export interface SumDifference {
  /** Another sum than we ordered; or a reversal of the whole payment after we had refunded a part. */
  readonly cause: 'ANOTHER_SUM' | 'REVERSED_AFTER_REFUND';
  readonly kind: string;
  readonly id: string;
  readonly currency: string;
  /** The sum that we ordered, or have refunded. */
  readonly ours: string;
  /** The sum that the other side reports. */
  readonly theirs: string;
  readonly since: string;
}

export interface Stalled {
  readonly what: 'effect' | 'flow' | 'inbox';
  /** The argument of `show` and `drive`. */
  readonly id: string;
  readonly kind: string;
  readonly since: string;
  readonly error: string | null;
}

/** Whether some of it is dead, differs, takes too long or waits for a person: monitoring should raise an alert. */
export const needsPerson = (work: OpenWork): boolean =>
  [work.dead_letters, work.stalled, work.breaks, work.unmatched].some((some) => some.length > 0) ||
  [work.returned_twice, work.discrepancies].some((some) => some.length > 0) ||
  work.effects.some(({ overdue }) => overdue > 0);
