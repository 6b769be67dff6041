import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { collectDebts } from '#kernel/ledger/debts.ts';
import { WALLET_EVENTS } from './events.ts';
import { FIAT_WALLETS_WORDS } from './reference.ts';
import { fiatWalletRoutes } from './routes.ts';

export { FIAT, type Fiat, fiatCurrencyOf } from './currencies.ts';
export { freezeWallet, type LockedWallet, lockWallet, unfreezeWallet } from './freeze-store.ts';
export {
  type FiatWallet,
  fiatWalletOf,
  findFiatWallet,
  walletsOfAccounts,
  walletTotals,
} from './store.ts';
export { openFirstWallet, openWallet } from './wallets.ts';

/** Wallets in the currencies of countries, each an account of the ledger. */
export const createFiatWallets = (deps: Pick<Kernel, 'balances' | 'db'>): Feature => ({
  name: 'fiat-wallets',
  reference: FIAT_WALLETS_WORDS,
  routes: fiatWalletRoutes(deps),
  schedules: [
    defineSchedule({
      name: 'wallets.debts',
      cron: '25 * * * *',
      run: ({ signal }) => collectDebts(deps.db, signal),
    }),
  ],
  events: WALLET_EVENTS,
});
