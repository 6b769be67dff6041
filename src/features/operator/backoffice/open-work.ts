import type { ChainTransaction } from '#chains/evm/port.ts';
import type { Row } from '#kernel/db/row.ts';
import type { EffectRow } from '#kernel/effects/effect-store.ts';
import type { InDoubt, OpenEffects } from '#kernel/effects/effect-upkeep.ts';
import type { OpenInbox, ReceivedEvent } from '#kernel/effects/inbox-store.ts';
import type { SagaRow } from '#kernel/effects/saga-store.ts';
import type { DeadLetter, QueueStats } from '#kernel/jobs/job-stats.ts';
import type { OpenBreaks } from '#kernel/reconciliation/break-store.ts';

/** Everything that is not finished, as an operator asks for it. */
export interface OpenWork {
  readonly queues: QueueStats[];
  readonly dead_letters: DeadLetter[];
  /** Calls to the outside whose outcome is unknown, by kind. */
  readonly effects: OpenEffects[];
  /** Inbound events that are not handled, by sender. */
  readonly inbox: OpenInbox[];
  /** Flows by type and state. */
  readonly flows: { type: string; state: string; count: number; stalled: number }[];
  /** What waits for a person, oldest first. */
  readonly stalled: Stalled[];
  /** Where our books and another side's differ, and nobody has said why, by rail. */
  readonly breaks: OpenBreaks[];
  /** Money that came in and pays nothing, and waits for the operator, by rail and reason. */
  readonly unmatched: Unmatched[];
  /** What was taken back although it had gone back before, oldest first. */
  readonly returned_twice: ReturnedTwice[];
  /** Where the other side reports another sum than our books, oldest first. */
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
  /** Another sum than we ordered; or all of a payment is called undone of which we had given back a part. */
  readonly cause: 'ANOTHER_SUM' | 'REVERSED_AFTER_REFUND';
  readonly kind: string;
  readonly id: string;
  readonly currency: string;
  /** What we ordered, or have given back. */
  readonly ours: string;
  /** What the other side says. */
  readonly theirs: string;
  readonly since: string;
}

export interface Stalled {
  readonly what: 'effect' | 'flow' | 'inbox';
  /** What `show` and `drive` take. */
  readonly id: string;
  readonly kind: string;
  readonly since: string;
  readonly error: string | null;
}

export type FlowEvent = Pick<
  Row<'saga_events'>,
  'name' | 'key' | 'payload' | 'received_at' | 'consumed_version'
>;

/** The whole story of one thing that is or was under way. */
export type WorkHistory =
  | {
      readonly what: 'effect';
      readonly effect: EffectRow;
      /** The row that it is about. */
      readonly intent: unknown;
      readonly postings: readonly Posting[];
      readonly transactions: readonly Omit<ChainTransaction, 'raw'>[];
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

/** Something is dead, differs, takes too long or waits for a person: monitoring should raise an alert. */
export const needsPerson = (work: OpenWork): boolean =>
  [work.dead_letters, work.stalled, work.breaks, work.unmatched].some((some) => some.length > 0) ||
  [work.returned_twice, work.discrepancies].some((some) => some.length > 0) ||
  work.effects.some(({ overdue }) => overdue > 0);
