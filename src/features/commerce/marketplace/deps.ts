import type { EvmNetwork } from '#chains/evm/port.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Catalogues } from '#providers/catalogue/port.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { LanguageModel } from '#providers/language-model/port.ts';

/** Dependencies of the marketplace. */
export interface MarketDeps
  extends Pick<
    Kernel,
    'db' | 'clock' | 'config' | 'log' | 'vault' | 'effects' | 'quotas' | 'metrics' | 'publicUrl'
  > {
  readonly evm: EvmNetwork;
  readonly fx: ExchangeRates;
  readonly catalogues: Catalogues;
  readonly model: LanguageModel;
}
