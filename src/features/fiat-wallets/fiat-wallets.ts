import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { WALLET_EVENTS } from './events.ts';
import { fiatWalletRoutes } from './routes.ts';

export { currencyOf, FIAT, type Fiat } from './currencies.ts';
export { freezeWallet, type HeldWallet, holdWallet, unfreezeWallet } from './freeze-store.ts';
export { type FiatWallet, findWallet, walletOf, walletTotals } from './store.ts';
export { openFirstWallet, openWallet } from './wallets.ts';

/** Wallets in the currencies of countries, each an account of the ledger. */
export const createFiatWallets = (deps: Pick<Kernel, 'balances'>): Feature => ({
  name: 'fiat-wallets',
  routes: fiatWalletRoutes(deps),
  events: WALLET_EVENTS,
});
