import type { Feature } from '#kernel/feature.ts';
import { EXCHANGE_WALLET_EVENTS } from './events.ts';
import { EXCHANGE_WALLETS_PERSON_DATA } from './person-data.ts';
import { EXCHANGE_WALLETS_WORDS } from './reference.ts';
import { type ExchangeWalletDeps, exchangeWalletRoutes } from './routes.ts';

export { destinationsOf } from './destinations.ts';
export { NETWORKS, type NetworkCode } from './networks.ts';
export { PRIMARY_WALLETS } from './store.ts';

/** The register of the addresses to which converted money goes. */
export const createExchangeWallets = (deps: ExchangeWalletDeps): Feature => ({
  name: 'exchange-wallets',
  personData: EXCHANGE_WALLETS_PERSON_DATA,
  reference: EXCHANGE_WALLETS_WORDS,
  routes: exchangeWalletRoutes(deps),
  events: EXCHANGE_WALLET_EVENTS,
});
