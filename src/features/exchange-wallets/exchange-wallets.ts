import type { Feature } from '#kernel/feature.ts';
import { exchangeWalletRoutes } from './routes.ts';

export type { NetworkCode } from './networks.ts';

/** The register of the addresses to which converted money goes. */
export const createExchangeWallets = (): Feature => ({
  name: 'exchange-wallets',
  routes: exchangeWalletRoutes(),
});
