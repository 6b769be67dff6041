import type { EvmNetwork } from '#chains/evm/port.ts';
import type { Route } from '#kernel/http/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { combinedHistoryRoute } from './combined-history.ts';
import { executeRoute } from './execute.ts';
import { historyRoutes } from './history.ts';
import { reportRoute } from './report.ts';
import { createSends, type Sends } from './sends.ts';

type OnchainDeps = Pick<Kernel, 'db' | 'vault' | 'clock' | 'log' | 'config' | 'effects'> & {
  readonly evm: EvmNetwork;
  readonly fx: ExchangeRates;
};

export interface Onchain extends Sends {
  readonly routes: readonly Route[];
}

/** Sends from managed wallets and their log (contract: Onchain transactions). */
export function createOnchain(deps: OnchainDeps): Onchain {
  const sends = createSends(deps);
  return {
    ...sends,
    routes: [
      executeRoute(sends),
      reportRoute(deps),
      ...historyRoutes(deps.clock),
      combinedHistoryRoute(deps.clock),
    ],
  };
}
