import type { PayoutMemory, Payouts } from '#features/fiat/payouts/payouts.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';

export interface WithdrawalDeps
  extends Pick<
    Kernel,
    | ('db' | 'clock' | 'config' | 'log' | 'jobs' | 'sagas' | 'vault' | 'policies')
    | ('prices' | 'quotas')
  > {
  readonly fx: ExchangeRates;
  readonly payouts: Payouts;
}

/** With the flows that pay. */
export interface PayingDeps extends WithdrawalDeps {
  readonly paying: Machine<PayoutMemory>;
  /** Pays wallets. */
  readonly crediting: Machine;
}
