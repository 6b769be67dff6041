import type { ClientDecisions } from '#features/banking/card-decision-webhook/card-decision-webhook.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { CardIssuing } from '#providers/issuing/port.ts';

export interface CardPaymentDeps
  extends Pick<Kernel, 'clock' | 'db' | 'inboxes' | 'log' | 'policies'> {
  readonly issuing: CardIssuing;
  readonly fx: ExchangeRates;
  readonly clients: ClientDecisions;
  /** How many disputes a notification is about, which are kept in the transaction that answers it. */
  hear(tx: Db, raw: Uint8Array): Promise<number>;
  /** Counts an answer to the processor. */
  counted(decision: 'approve' | 'decline', reason: string): void;
}
