import type { ClientDecisions } from '#features/banking/card-decision-webhook/card-decision-webhook.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { CardIssuing } from '#providers/issuing/port.ts';

export interface CardPaymentDeps
  extends Pick<Kernel, 'clock' | 'db' | 'inboxes' | 'log' | 'policies'> {
  readonly issuing: CardIssuing;
  readonly fx: ExchangeRates;
  readonly clients: ClientDecisions;
  /** Counts an answer to the processor. */
  counted(decision: 'approve' | 'decline', reason: string): void;
}
