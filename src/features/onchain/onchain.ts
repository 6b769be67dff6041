import type { EvmNetwork } from '#chains/evm/port.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { combinedHistoryRoute } from './combined-history.ts';
import { executeRoute } from './execute.ts';
import { historyRoutes } from './history.ts';
import { reportRoute } from './report.ts';
import { createSends } from './sends.ts';

type OnchainDeps = Pick<Kernel, 'db' | 'vault' | 'clock' | 'log' | 'config' | 'effects'> & {
  readonly evm: EvmNetwork;
  readonly fx: ExchangeRates;
};

/** Sends from managed wallets and their log (contract: Onchain transactions). */
export function createOnchain(deps: OnchainDeps): Feature {
  const sends = createSends(deps);
  return {
    name: 'onchain',
    effects: sends.effects,
    schedules: sends.schedules,
    routes: [
      executeRoute(sends),
      reportRoute(deps),
      ...historyRoutes(deps.clock),
      combinedHistoryRoute(deps.clock),
    ],
  };
}
