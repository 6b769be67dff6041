import type { Files } from '#features/messaging/files/files.ts';
import type { Effect } from '#kernel/effects/effect.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { CardIssuing, DisputeFacts } from '#providers/issuing/port.ts';
import type { CardDispute } from './store.ts';

export type DisputeEffect = Effect<CardDispute, DisputeFacts>;

export interface CardDisputeDeps
  extends Pick<Kernel, 'clock' | 'db' | 'effects' | 'inboxes' | 'log'> {
  readonly issuing: CardIssuing;
  readonly fx: ExchangeRates;
  readonly files: Files;
}

/** With what is sent to the processor. */
export interface DisputingDeps extends CardDisputeDeps {
  readonly submitting: DisputeEffect;
  readonly responding: DisputeEffect;
  readonly withdrawing: DisputeEffect;
}
