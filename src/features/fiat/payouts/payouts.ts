import type { IncomingHttpHeaders } from 'node:http';
import type { Outcome } from '#kernel/effects/outcome.ts';
import { fail } from '#kernel/error.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Rail } from '#kernel/reconciliation/rail.ts';
import type { GatewayNotification } from '#providers/gateway/port.ts';
import { hostCurrencyOf, type PayoutAsset, requirePayable } from './currencies.ts';
import type { PayoutDeps } from './deps.ts';
import type { PayoutAnswer } from './gateway-calls.ts';
import { hostRail } from './host-rail.ts';
import { paidAmong } from './host-store.ts';
import { type IncomingPayments, incomingPayments } from './incoming.ts';
import { payoutInbox, receivePayoutNotification } from './notifications.ts';
import { type BookPaid, paidBooking } from './paid.ts';
import type { PayoutPayer } from './payer.ts';
import type { PayoutRow } from './payout-store.ts';
import { findAtGateway, payoutPollSchedule, pollPayout } from './poll.ts';
import { payoutRail } from './rail.ts';
import {
  type PayoutFlow,
  type PayoutMemory,
  type PayoutNames,
  type PayoutStates,
  payoutStates,
} from './states.ts';

export { bankFlow } from './bank-flow.ts';
export { bankPayments } from './bank-payments.ts';
export {
  hostCurrencyOf,
  type PayoutAsset,
  payeeAtBank,
  payoutHouse,
  requireTransferable,
  type TypedBank,
} from './currencies.ts';
export type { PayoutAnswer } from './gateway-calls.ts';
export { requestPayout } from './gateway-calls.ts';
export { spendGatewayCost } from './gateway-cost.ts';
export type { IncomingPayments } from './incoming.ts';
export type { PaidLate, PayoutPayer, PayoutResult } from './payer.ts';
export {
  insertPayouts,
  movePayouts,
  openPayouts,
  type PayoutRow,
  type PayoutTotals,
  payoutTotals,
} from './payout-store.ts';
export type { PayoutFlow, PayoutMemory, PayoutNames } from './states.ts';

/** Bank transfers by the gateway and the bank host, for all features that pay banks. */
export interface Payouts {
  /** Throws PAYOUT_CURRENCY_UNAVAILABLE, before anything moves, where no provider pays the currency out. */
  requirePayable(currency: string | undefined, field: string): PayoutAsset;
  /**
   * The same for rails beyond the contract. Throws RAIL_NOT_AVAILABLE where no bank is paid in the currency, and
   * PROVIDER_NOT_CONFIGURED where its provider lacks settings.
   */
  requireRail(currency: string): PayoutAsset;
  /** Whose payments the gateway's call-backs and books are about, beside those of purchases. */
  readonly incoming: IncomingPayments;
  /** Registers a payer, before it pays. */
  join(payer: PayoutPayer): void;
  /** The states of a flow that pay a bank (see `PayoutFlow`). */
  states<D extends PayoutMemory, const N extends PayoutNames>(
    flow: PayoutFlow<D>,
    names: N,
  ): PayoutStates<D, N>;
  /** The one way in which a pay-out is booked as paid, also for a payer that learns of it elsewhere. */
  readonly bookPaid: BookPaid;
  /** A payer's part of the gateway's statement. */
  rail(payer: PayoutPayer): Rail;
  /** Takes a call-back as a hint: the gateway is asked. */
  receive(notification: GatewayNotification, headers: IncomingHttpHeaders): Promise<void>;
  /** The gateway's state of a pay-out; undefined where the gateway does not know it. */
  find(reference: string): Promise<Outcome<PayoutAnswer | undefined>>;
  /** Asks the gateway for the state of a pay-out now, and books a certain one. */
  poll(reference: string): Promise<Outcome<PayoutAnswer | undefined>>;
}

type Given = Omit<PayoutDeps, 'payerOf'> & {
  /** Whether that provider has its settings; none is asked where it is left out. */
  isConfigured?(name: 'bank-host' | 'gateway'): boolean;
};

/** The one way to bank transfers, and to the gateway's notifications (decisions: 0039, 81). */
export function createPayouts(given: Given): Feature & Payouts {
  const payers = new Map<string, PayoutPayer>();
  const payerOf = ({ payer }: Pick<PayoutRow, 'payer'>): PayoutPayer => {
    const found = payers.get(payer);
    if (!found) throw new Error(`There is no payer ${payer}`);
    return found;
  };
  const deps: PayoutDeps = { ...given, payerOf };
  const { bankHost } = given;
  const available: PayoutAsset[] = [
    'IDR',
    ...((given.isConfigured?.('bank-host') && bankHost?.currencies) || []),
  ];
  const inbox = payoutInbox(deps);
  const bookPaid = paidBooking(given, inbox);
  const ownerOf = (reference: string): PayoutPayer | undefined => {
    const all = [...payers.values()];
    return (
      all.find((payer) => payer.owns(reference)) ??
      all.find(({ answersForOthers = false }) => answersForOthers)
    );
  };
  return {
    name: 'payouts',
    inboxes: [inbox],
    schedules: [payoutPollSchedule(deps)],
    rails: bankHost ? [hostRail(bankHost, (references) => pollPaid(deps, references))] : [],
    incoming: incomingPayments(),
    requirePayable: (currency, field) => requirePayable(available, currency, field),
    requireRail: (currency) => requireRail(given, currency),
    join(payer) {
      if (payers.has(payer.name)) throw new Error(`There are two payers ${payer.name}`);
      payers.set(payer.name, payer);
    },
    bookPaid,
    states: (flow, names) => payoutStates({ ...deps, bookPaid }, flow, names),
    rail: (payer) =>
      payoutRail(given.gateway, payer, (reference) => ownerOf(reference)?.name === payer.name),
    receive: (notification, headers) =>
      receivePayoutNotification({ ...deps, inbox }, notification, headers),
    find: (reference) => findAtGateway(deps, reference),
    poll: (reference) => pollPayout(deps, reference),
  };
}

function requireRail({ isConfigured, bankHost }: Given, currency: string): PayoutAsset {
  const host = hostCurrencyOf(currency);
  if (host === undefined && currency !== 'IDR')
    throw fail('RAIL_NOT_AVAILABLE', `Banks are not paid in ${currency}`);
  if (isConfigured?.(host === undefined ? 'gateway' : 'bank-host') === false)
    throw fail('PROVIDER_NOT_CONFIGURED', `The provider of payouts in ${currency} is not set up`);
  if (host !== undefined && !bankHost?.currencies.includes(host))
    throw fail('RAIL_NOT_AVAILABLE', `The platform has no account that pays ${currency}`);
  return host ?? 'IDR';
}

/** The bank has entries that say that these came back. */
async function pollPaid(deps: PayoutDeps, references: readonly string[]): Promise<void> {
  for (const reference of await paidAmong(deps.db, references)) await pollPayout(deps, reference);
}
