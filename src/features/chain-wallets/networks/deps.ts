import type { EvmNetwork } from '#chains/evm/port.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { ObservedNetwork } from './network.ts';

export interface NetworksDeps
  extends Pick<Kernel, 'db' | 'clock' | 'log' | 'config' | 'effects' | 'quotas'> {
  /** All networks, in the order that they are listed. */
  readonly networks: readonly ObservedNetwork[];
  readonly evm: EvmNetwork;
  readonly fx: Pick<ExchangeRates, 'rate'>;
  /** All things that are payments. */
  sources(): readonly PaymentSource[];
}
