import type { IncomingHttpHeaders } from 'node:http';
import type { Outcome } from '#kernel/effects/outcome.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Rail } from '#kernel/reconciliation/rail.ts';
import type { GatewayNews } from '#providers/gateway/port.ts';
import type { PayoutDeps } from './deps.ts';
import type { PayoutTold } from './gateway-calls.ts';
import { findOne, lookAtOne, lookSchedule } from './looks.ts';
import { hearNews, payoutInbox } from './news.ts';
import { type BookPaid, paidBooking } from './paid.ts';
import type { PayoutPayer } from './payer.ts';
import type { PayoutRow } from './payout-store.ts';
import { payoutRail } from './rail.ts';
import { type PayoutFlow, type PayoutMemory, payoutStates } from './states.ts';

export { mustBePayable, mustBeTransferable } from './currencies.ts';
export type { PayoutTold } from './gateway-calls.ts';
export { askForPayout } from './gateway-calls.ts';
export { spendGatewayCost } from './gateway-cost.ts';
export type { PaidLate, PayoutPayer, PayoutWord } from './payer.ts';
export {
  insertPayouts,
  movePayouts,
  openPayouts,
  type PayoutRow,
  type PayoutTotals,
  payoutTotals,
} from './payout-store.ts';
export type { PayoutFlow, PayoutMemory } from './states.ts';

/** Bank transfers by the gateway, for whichever feature pays out. */
export interface Payouts {
  /** Makes a payer known, before anything is paid. */
  join(payer: PayoutPayer): void;
  /** The states of a flow that pay out (see `PayoutFlow`). */
  states<D extends PayoutMemory>(flow: PayoutFlow<D>): ReturnType<typeof payoutStates<D>>;
  /** The one way in which a pay-out is booked as paid: for those who learn of it elsewhere. */
  readonly bookPaid: BookPaid;
  /** A payer's part of the gateway's statement. */
  rail(payer: PayoutPayer): Rail;
  /** What a call-back says; a hint, whoever calls. */
  hear(news: GatewayNews, headers: IncomingHttpHeaders): Promise<void>;
  /** What the gateway knows of one; nothing where it knows nothing. */
  find(reference: string): Promise<Outcome<PayoutTold | undefined>>;
  /** Asks the gateway what has become of one here and now, and books what is certain. */
  look(reference: string): Promise<Outcome<PayoutTold | undefined>>;
}

type Given = Omit<PayoutDeps, 'payerOf'>;

/** The one way in which the gateway is asked for bank transfers, and heard of them (decisions: 0039). */
export function createPayouts(given: Given): Feature & Payouts {
  const payers = new Map<string, PayoutPayer>();
  const payerOf = ({ payer }: Pick<PayoutRow, 'payer'>): PayoutPayer => {
    const found = payers.get(payer);
    if (!found) throw new Error(`There is no payer ${payer}`);
    return found;
  };
  const deps: PayoutDeps = { ...given, payerOf };
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
    schedules: [lookSchedule(deps)],
    join(payer) {
      if (payers.has(payer.name)) throw new Error(`There are two payers ${payer.name}`);
      payers.set(payer.name, payer);
    },
    bookPaid,
    states: (flow) => payoutStates({ ...deps, bookPaid }, flow),
    rail: (payer) =>
      payoutRail(given.gateway, payer, (reference) => ownerOf(reference)?.name === payer.name),
    hear: (news, headers) => hearNews({ ...deps, inbox }, news, headers),
    find: (reference) => findOne(deps, reference),
    look: (reference) => lookAtOne(deps, reference),
  };
}
