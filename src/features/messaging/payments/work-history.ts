import type { SentTransaction } from '#chains/port.ts';
import type { Row } from '#kernel/db/row.ts';
import type { EffectRow } from '#kernel/effects/effect-store.ts';
import type { ReceivedEvent } from '#kernel/effects/inbox-store.ts';
import type { SagaRow } from '#kernel/effects/saga-store.ts';

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
