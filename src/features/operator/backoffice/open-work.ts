import type { SentTransaction } from '#chains/port.ts';
import type { Row } from '#kernel/db/row.ts';
import type { EffectRow } from '#kernel/effects/effect-store.ts';
import type { InDoubt, OpenEffects } from '#kernel/effects/effect-upkeep.ts';
import type { OpenInbox, ReceivedEvent } from '#kernel/effects/inbox-store.ts';
import type { SagaRow } from '#kernel/effects/saga-store.ts';
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

export type FlowEvent = Pick<
  Row<'saga_events'>,
  'name' | 'key' | 'payload' | 'received_at' | 'consumed_version'
>;

/** The history of one piece of work, in flight or ended. */
export type WorkHistory =
  | {
      readonly what: 'effect';
      readonly effect: EffectRow;
      /** The row of the feature that the effect is of. */
      readonly intent: unknown;
      readonly postings: readonly Posting[];
      readonly transactions: readonly SentTransaction[];
    }
  | {
      readonly what: 'flow';
      readonly flow: SagaRow;
      readonly path: readonly Pick<Row<'saga_log'>, 'version' | 'state' | 'entered_at'>[];
      readonly events: readonly FlowEvent[];
      readonly effects: readonly EffectRow[];
      readonly postings: readonly Posting[];
    }
  | { readonly what: 'inbox'; readonly received: ReceivedEvent };

/** A transfer in the ledger, its amounts in units. */
export interface Posting {
  readonly operation_key: string;
  readonly kind: string;
  readonly created_at: string;
  readonly entries: readonly {
    readonly account: string;
    readonly asset: string;
    readonly amount: string;
    readonly held: string;
  }[];
}

/** Whether some of it is dead, differs, takes too long or waits for a person: monitoring should raise an alert. */
export const needsPerson = (work: OpenWork): boolean =>
  [work.dead_letters, work.stalled, work.breaks, work.unmatched].some((some) => some.length > 0) ||
  [work.returned_twice, work.discrepancies].some((some) => some.length > 0) ||
  work.effects.some(({ overdue }) => overdue > 0);
