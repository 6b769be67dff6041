import type { DecidesApprovals } from '#features/accounts/approvals/approvals.ts';
import type { DetailDeps } from '#features/banking/recipients/recipients.ts';
import type { PayoutMemory, Payouts } from '#features/fiat/payouts/payouts.ts';
import type { Files } from '#features/messaging/files/files.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import type { Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';

export interface BatchDeps
  extends DetailDeps,
    Pick<
      Kernel,
      | ('db' | 'clock' | 'config' | 'log' | 'jobs' | 'sagas' | 'vault' | 'policies')
      | ('prices' | 'quotas')
    > {
  readonly fx: ExchangeRates;
  readonly payouts: Payouts;
  readonly approvals: DecidesApprovals;
  readonly files: Files;
}

/** Of a batch, by its id. */
export interface BatchWork {
  readonly batch: string;
}

/** With what moves a batch on. */
export interface ExecutingDeps
  extends Pick<BatchDeps, 'db' | 'clock' | 'config' | 'log' | 'jobs' | 'sagas'> {
  /** Pays banks. */
  readonly paying: Machine<PayoutMemory>;
  /** Pays wallets. */
  readonly crediting: Machine;
  readonly advancing: Job<BatchWork>;
}
