import type { XrplNetwork } from '#chains/xrpl/port.ts';
import type { Payouts } from '#features/fiat/payouts/payouts.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';

export type XrplDeps = Pick<Kernel, 'db' | 'sagas' | 'clock' | 'config' | 'quotas' | 'prices'> & {
  readonly xrpl: XrplNetwork;
  readonly fx: ExchangeRates;
  readonly payouts: Payouts;
};
