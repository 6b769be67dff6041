import { isChainKey } from '#chains/evm/port.ts';
import type { Feature } from '#kernel/feature.ts';
import { BANK_EVENTS } from './bank-events.ts';
import { bankRoutes } from './bank-routes.ts';
import { callbackRoutes } from './callback-routes.ts';
import type { IdrBase, PayingBase } from './deps.ts';
import { IDR_TOKEN_EVENTS } from './events.ts';
import { feeRoutes } from './fee-routes.ts';
import { listRoutes } from './list-routes.ts';
import { unpaidOf } from './mint-store.ts';
import { followUp, paymentInbox } from './news.ts';
import { offrampMachine } from './offramp-machine.ts';
import { offrampRoutes } from './offramp-routes.ts';
import { onrampMachine } from './onramp-machine.ts';
import { onrampRoutes } from './onramp-routes.ts';
import { paymentRail } from './rail.ts';
import { redemptionPayer } from './redemption-payer.ts';
import { refundRoutes } from './refund-routes.ts';
import { supplySchedule } from './supply.ts';
import { takeBackEffect } from './take-back.ts';

export { payoutAccountOf } from './payout-account.ts';
export { compareSupplies, differs, inWords } from './supply.ts';

type Given = Omit<IdrBase, 'home'>;

/** What the token's steps stand on, for those who compare its supply beside the service. */
export const idrDeps = (given: Given): IdrBase => {
  const home = given.config.IDR_TOKEN_CHAIN;
  if (!isChainKey(home)) throw new Error(`IDR_TOKEN_CHAIN is ${home}, and there is no such chain`);
  return { ...given, home };
};

/** What the gateway's statement says that was paid in, beside what is booked of it. */
export interface PaidIn {
  /** Which of those references are purchases that are not booked as paid. */
  unbooked(references: readonly string[]): Promise<ReadonlySet<string>>;
  /** Somebody has paid them: they are booked as if the gateway had called back. */
  followUp(references: readonly string[]): Promise<void>;
}

/** The rupiah token: bought through a gateway, burnt for a bank transfer (contract part 3). */
export function createIdrToken(
  given: Given & Pick<PayingBase, 'payouts'>,
): Feature & { readonly paid: PaidIn } {
  const base: PayingBase = { ...idrDeps(given), payouts: given.payouts };
  const payer = redemptionPayer(base);
  base.payouts.join(payer);
  const onramp = onrampMachine(base);
  const offramp = offrampMachine(base);
  const takeBack = takeBackEffect(base);
  const payments = paymentInbox(base);
  return {
    name: 'idr-token',
    paid: {
      unbooked: (references) => unpaidOf(base.db, references),
      followUp: (references) => followUp(base, payments, references),
    },
    events: [...IDR_TOKEN_EVENTS, ...BANK_EVENTS],
    routes: [
      ...onrampRoutes({ ...base, onramp }),
      ...offrampRoutes({ ...base, offramp }),
      ...bankRoutes(),
      ...listRoutes(),
      ...refundRoutes({ ...base, takeBack }),
      ...feeRoutes(),
      ...callbackRoutes({ ...base, payments }),
    ],
    machines: [onramp, offramp],
    effects: [takeBack],
    inboxes: [payments],
    schedules: [supplySchedule(base)],
    rails: [paymentRail(base.gateway), base.payouts.rail(payer)],
  };
}
