import { isChainKey } from '#chains/evm/port.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { BookLine } from '#kernel/reconciliation/rail.ts';
import type { TokenVendor } from '#providers/idrx/port.ts';
import { BANK_EVENTS } from './bank-accounts/events.ts';
import { bankRoutes } from './bank-accounts/routes.ts';
import { callbackRoutes } from './callback-routes.ts';
import type { CostDeps, IdrBase, PayingBase } from './deps.ts';
import {
  IDR_MINT_PAYMENTS,
  IDR_REDEEM_PAYMENTS,
  IDR_REFUND_PAYMENTS,
  IDR_TOKEN_EVENTS,
} from './events.ts';
import { feeRoutes } from './fee-routes.ts';
import { ownIssuer } from './issuer/own-issuer.ts';
import { vendorIssuer } from './issuer/vendor-issuer.ts';
import { listRoutes } from './list-routes.ts';
import { IDR_TOKEN_PERSON_DATA } from './person-data.ts';
import { onrampMachine } from './purchase/machine.ts';
import { followUp, paymentInbox } from './purchase/notifications.ts';
import { onrampRoutes } from './purchase/routes.ts';
import { paymentRail } from './rail.ts';
import { redemptionFlow } from './redemption/bank-flow.ts';
import { offrampMachine } from './redemption/machine.ts';
import { offrampRoutes } from './redemption/routes.ts';
import { IDR_TOKEN_WORDS } from './reference.ts';
import { refundRoutes } from './refund/routes.ts';
import { takeBackEffect } from './refund/take-back.ts';
import { supplySchedule } from './supply/compare.ts';
import { IDR_UNMATCHED_PAYMENTS, UNMATCHED_EVENTS } from './unmatched/events.ts';
import { unbookedLines } from './unmatched/receipts-store.ts';
import { strayPaymentRoutes } from './unmatched/routes.ts';
import { countUnmatched } from './unmatched/store.ts';

export { payoutAccountOf } from './bank-accounts/payout-account.ts';
export { compareSupplies, differs, supplyInWords } from './supply/compare.ts';
export { countUnmatched as unmatchedRupiah } from './unmatched/store.ts';

type Given = Omit<IdrBase, 'home' | 'issuer'> & {
  /** Issues the token in the platform's place. */
  readonly tokenVendor: TokenVendor | undefined;
};

/** The feature's dependencies, also for the command that compares the supply beside the service. */
export const idrDeps = (given: Given): IdrBase => {
  const home = given.config.IDR_TOKEN_CHAIN;
  if (!isChainKey(home)) throw new Error(`IDR_TOKEN_CHAIN is ${home}, and there is no such chain`);
  const { tokenVendor, ...base } = given;
  return { ...base, home, issuer: tokenVendor ? vendorIssuer(base, tokenVendor) : ownIssuer(base) };
};

/** Payments in the gateway's statement, compared with those that are booked. */
export interface PaidIn {
  /** The unbooked payments for purchases among those lines, by name, and whether each pays its purchase. */
  unbooked(lines: readonly BookLine[]): Promise<ReadonlyMap<string, boolean>>;
  /** Books payments for those references as if the gateway had called back. */
  followUp(references: readonly string[]): Promise<void>;
}

/** The rupiah token: bought through a gateway, burnt for a bank transfer (contract part 3). */
export function createIdrToken(
  given: Given & Pick<PayingBase, 'payouts'> & Pick<Kernel, 'metrics'> & CostDeps,
): Feature & { readonly paid: PaidIn } {
  const base: PayingBase = { ...idrDeps(given), payouts: given.payouts };
  const { quotas, prices, policies, fx } = given;
  const costs: CostDeps = { quotas, prices, policies, fx };
  const bank = redemptionFlow(base);
  base.payouts.join(bank.payer);
  const offramp = offrampMachine(base, bank);
  const takeBack = takeBackEffect(base);
  const payments = paymentInbox(base);
  const onramp = onrampMachine({ ...base, payments });
  const follow = (references: readonly string[]) => followUp(base, payments, references);
  measure(given);
  return {
    name: 'idr-token',
    personData: IDR_TOKEN_PERSON_DATA,
    reference: IDR_TOKEN_WORDS,
    payments: [
      { object: 'payment', rail: 'idr_token', source: IDR_MINT_PAYMENTS },
      { object: 'idr_mint', rail: 'idr_token', source: IDR_MINT_PAYMENTS },
      { object: 'payout', rail: 'idr_token', source: IDR_REDEEM_PAYMENTS },
      { object: 'refund', rail: 'idr_token', source: IDR_REFUND_PAYMENTS },
      { object: 'idr_payment', rail: 'idr_token', source: IDR_UNMATCHED_PAYMENTS },
    ],
    paid: {
      unbooked: (lines) => unbookedLines(base.db, lines),
      followUp: follow,
    },
    events: [...IDR_TOKEN_EVENTS, ...UNMATCHED_EVENTS, ...BANK_EVENTS],
    routes: [
      ...onrampRoutes({ ...base, ...costs, onramp }),
      ...offrampRoutes({ ...base, ...costs, offramp }),
      ...bankRoutes(),
      ...listRoutes(),
      ...refundRoutes({ ...base, takeBack }),
      ...feeRoutes(),
      ...callbackRoutes({ ...base, payments }),
      ...strayPaymentRoutes(base),
    ],
    machines: [onramp, offramp],
    effects: [takeBack],
    inboxes: [payments],
    schedules: [supplySchedule(base)],
    rails: [
      paymentRail({ ...base, followUp: follow, incoming: base.payouts.incoming }),
      base.payouts.rail(bank.payer),
    ],
  };
}

function measure({ metrics, db }: Pick<Kernel, 'metrics' | 'db'>): void {
  metrics.gauge(
    'archipay_idr_unmatched',
    'Rupiah payments that pay no purchase and are owed to their payers, by reason',
    ['reason'],
    async () =>
      (await countUnmatched(db)).map(({ reason, open }) => ({ labels: { reason }, value: open })),
  );
}
