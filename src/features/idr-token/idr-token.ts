import { isChainKey } from '#chains/evm/port.ts';
import type { Feature } from '#kernel/feature.ts';
import { bankRoutes } from './bank-routes.ts';
import { callbackRoutes, type HearPayout } from './callback-routes.ts';
import type { IdrBase } from './deps.ts';
import { IDR_TOKEN_EVENTS } from './events.ts';
import { feeRoutes } from './fee-routes.ts';
import { houseAccounts } from './legs.ts';
import { listRoutes } from './list-routes.ts';
import { paymentInbox, payoutInbox } from './news.ts';
import { offrampMachine } from './offramp-machine.ts';
import { offrampRoutes } from './offramp-routes.ts';
import { onrampMachine } from './onramp-machine.ts';
import { onrampRoutes } from './onramp-routes.ts';
import { gatewayRails } from './rails.ts';
import { refundRoutes } from './refund-routes.ts';
import { supplySchedule } from './supply.ts';
import { takeBackEffect } from './take-back.ts';

export { paymentsUnderWay } from './mint-store.ts';
export { payoutAccountOf } from './payout-account.ts';
export { compareSupplies, differs, inWords } from './supply.ts';

type Given = Omit<IdrBase, 'accounts' | 'home'>;

/** What the token's steps stand on, for those who compare its supply beside the service. */
export const idrDeps = (given: Given): IdrBase => {
  const home = given.config.IDR_TOKEN_CHAIN;
  if (!isChainKey(home)) throw new Error(`IDR_TOKEN_CHAIN is ${home}, and there is no such chain`);
  return { ...given, home, accounts: houseAccounts(given.db) };
};

/** The rupiah token: bought through a gateway, burnt for a bank transfer (contract part 3). */
export function createIdrToken({
  hearPayout,
  ...given
}: Given & { readonly hearPayout?: HearPayout }): Feature {
  const base = idrDeps(given);
  const onramp = onrampMachine(base);
  const offramp = offrampMachine(base);
  const takeBack = takeBackEffect(base);
  const payments = paymentInbox(base);
  const payouts = payoutInbox(base);
  return {
    name: 'idr-token',
    events: IDR_TOKEN_EVENTS,
    routes: [
      ...onrampRoutes({ ...base, onramp }),
      ...offrampRoutes({ ...base, offramp }),
      ...bankRoutes(),
      ...listRoutes(),
      ...refundRoutes({ ...base, takeBack }),
      ...feeRoutes(),
      ...callbackRoutes({ ...base, payments, payouts, hearPayout }),
    ],
    machines: [onramp, offramp],
    effects: [takeBack],
    inboxes: [payments, payouts],
    schedules: [supplySchedule(base)],
    rails: gatewayRails(base.gateway),
  };
}
