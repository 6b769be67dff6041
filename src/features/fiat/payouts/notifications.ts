import type { IncomingHttpHeaders } from 'node:http';
import type { Db } from '#kernel/db/db.ts';
import { defineInbox, type Inbox } from '#kernel/effects/inbox.ts';
import { done, type Outcome } from '#kernel/effects/outcome.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import type { GatewayNotification, Payout } from '#providers/gateway/port.ts';
import type { PayoutDeps } from './deps.ts';
import { lookUpPayout } from './gateway-calls.ts';
import { bookLate, endClaim } from './late.ts';
import type { PayoutResult } from './payer.ts';
import {
  findPayoutRow,
  lockPayout,
  markFailureReported,
  movePayouts,
  type PayoutRow,
  type PayoutState,
} from './payout-store.ts';

const KEPT_MS = 90 * 24 * 3_600_000;

type Notification = GatewayNotification & { readonly [key: string]: unknown };
/** The gateway's own answer, which alone is booked. */
type GatewayState = Pick<Payout, 'id' | 'status' | 'failureCode'> & {
  /** The state by our books before the request to the gateway. */
  readonly stateBefore: PayoutState;
};
export type PayoutInbox = Inbox<Notification, GatewayState | undefined>;

/**
 * A caller reports how a pay-out has ended. The service asks the gateway and books its answer, however late and
 * however often it comes: also that a bank has returned a transfer that had arrived.
 */
export const payoutInbox = (deps: PayoutDeps): PayoutInbox =>
  defineInbox<Notification, GatewayState | undefined>({
    source: 'gateway-payouts',
    keptMs: KEPT_MS,
    again: true,
    async ask({ reference, status }): Promise<Outcome<GatewayState | undefined>> {
      const payout = await findPayoutRow(deps.db, reference);
      if (!payout) return done(undefined);
      const payer = deps.payerOf(payout);
      if (payer.trustsCallers)
        await deps.gateway.offline?.simulatePayout(
          payout.reference,
          status as GatewayState['status'],
        );
      return askGateway(deps, payout);
    },
    async handle(tx, { reference }, { answer }) {
      const state = answer?.kind === 'done' ? answer.value : undefined;
      return state ? applyPayoutResult(deps, tx, reference, state) : 'nothing-new';
    },
  });

/** Asks the gateway, and keeps the state before: an earlier answer undoes no later booking. */
export async function askGateway(
  deps: PayoutDeps,
  payout: PayoutRow,
): Promise<Outcome<GatewayState | undefined>> {
  const found = await lookUpPayout(deps, deps.payerOf(payout), payout);
  if (found.kind !== 'done') return found;
  return done(found.value && { ...found.value, stateBefore: payout.state });
}

/** Books the certain end of a pay-out, once. Returns what was done. */
export async function applyPayoutResult(
  deps: PayoutDeps,
  tx: Db,
  reference: string,
  { status, failureCode, stateBefore }: GatewayState,
): Promise<string> {
  const payout = await findPayoutRow(tx, reference);
  if (!payout || status === 'PENDING') return 'nothing-new';
  const result = { status, ...(failureCode !== undefined && { failure: failureCode }) };
  const isNew = isOpen(payout) && (await deps.payerOf(payout).notify(tx, payout, result));
  if (status === 'FAILED') return applyFailure(deps, tx, payout, result);
  if (payout.state === 'FAILED' && stateBefore === 'FAILED') return bookLate(deps, tx, reference);
  return isNew ? 'notified' : 'known';
}

const isOpen = ({ state }: PayoutRow): boolean => state === 'ASKED' || state === 'SENT';

/** The flow may be about to book the pay-out as paid: then it is polled again after that. */
async function applyFailure(deps: PayoutDeps, tx: Db, before: PayoutRow, result: PayoutResult) {
  if (await markFailureReported(tx, before.reference)) return 'notified';
  const payout = await lockPayout(tx, before.reference, 'PAID');
  return payout ? bookReturn(deps, tx, payout, result) : 'notified';
}

/** PAID to RETURNED, once, of a locked pay-out: the gateway has the money again, and its payer books that. */
async function bookReturn(
  deps: PayoutDeps,
  tx: Db,
  payout: PayoutRow,
  { failure = 'The bank has returned the transfer' }: PayoutResult,
): Promise<string> {
  const { reference, payer } = payout;
  // Where the payer has refunded it before, the returned money ends our claim.
  const operations =
    (await endClaim(tx, payout)) ?? (await deps.payerOf(payout).bookReturn(tx, payout, failure));
  if (!operations) return 'known';
  await movePayouts(tx, [reference], 'RETURNED', { failure });
  deps.log.warn({ reference, payer, failure }, 'A pay-out came back from the bank');
  await postAllWithin(tx, operations);
  return 'returned';
}

/**
 * Stores a notification about a pay-out of ours. The gateway's own call-backs are handled at once; all others are
 * left to a job, which asks once for all of them. An unknown reference is not stored.
 */
export async function receivePayoutNotification(
  deps: PayoutDeps & { readonly inbox: PayoutInbox },
  notification: GatewayNotification,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const { db, inboxes, inbox, gateway } = deps;
  const payout = await findPayoutRow(db, notification.reference);
  if (!payout) return;
  const { reference } = payout;
  await transact(db, (tx) => inboxes.receive(tx, inbox, reference, { ...notification, reference }));
  if (gateway.isGenuine(headers)) await inboxes.handleNow(inbox, reference);
}
