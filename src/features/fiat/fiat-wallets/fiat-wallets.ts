import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { collectDebts } from '#kernel/ledger/debts.ts';
import { fiatBalanceRoute } from './balance-routes.ts';
import { moneyOfPerson } from './closing.ts';
import { WALLET_EVENTS } from './events.ts';
import { type ExplainDeps, explainRoutes } from './explain-routes.ts';
import { FIAT_WALLETS_PERSON_DATA } from './person-data.ts';
import { entriesOfPerson } from './person-entries.ts';
import { FIAT_WALLETS_WORDS } from './reference.ts';
import { fiatWalletRoutes } from './routes.ts';

export { FIAT, type Fiat, fiatCurrencyOf } from './currencies.ts';
export { freezeWallet, type LockedWallet, lockWallet, unfreezeWallet } from './freeze-store.ts';
export { type PayeeWallet, payeeWallets } from './payee-store.ts';
export { walletToPayFrom } from './prepared-wallet.ts';
export {
  accountsOfWallets,
  type FiatWallet,
  fiatWalletOf,
  findFiatWallet,
  walletsOfAccounts,
  walletTotals,
} from './store.ts';
export { openFirstWallet, openWallet } from './wallets.ts';

/** With whose the money is that is set aside. */
export interface FiatWalletDeps extends Pick<Kernel, 'balances' | 'db'>, ExplainDeps {}

/** Wallets in the currencies of countries, each an account of the ledger. */
export const createFiatWallets = (deps: FiatWalletDeps): Feature => ({
  name: 'fiat-wallets',
  personData: {
    ...FIAT_WALLETS_PERSON_DATA,
    parts: [{ name: 'wallet_entries', rows: entriesOfPerson }],
  },
  reference: FIAT_WALLETS_WORDS,
  closing: [moneyOfPerson],
  routes: [...fiatWalletRoutes(deps), fiatBalanceRoute, ...explainRoutes(deps)],
  schedules: [
    defineSchedule({
      name: 'wallets.debts',
      cron: '25 * * * *',
      run: ({ signal }) => collectDebts(deps.db, signal),
    }),
  ],
  events: WALLET_EVENTS,
});
