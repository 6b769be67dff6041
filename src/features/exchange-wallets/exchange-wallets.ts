import type { Feature } from '#kernel/feature.ts';
import { EXCHANGE_WALLET_EVENTS } from './events.ts';
import { exchangeWalletRoutes } from './routes.ts';

export { NETWORKS, type NetworkCode } from './networks.ts';
export { PRIMARY_WALLETS } from './store.ts';

/** The register of the addresses to which converted money goes. */
export const createExchangeWallets = (): Feature => ({
  name: 'exchange-wallets',
  routes: exchangeWalletRoutes(),
  events: EXCHANGE_WALLET_EVENTS,
});
