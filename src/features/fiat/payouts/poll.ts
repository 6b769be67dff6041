import type { Outcome } from '#kernel/effects/outcome.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import type { PayoutDeps } from './deps.ts';
import { lookUpPayout, type PayoutAnswer } from './gateway-calls.ts';
import { applyPayoutResult, askGateway } from './notifications.ts';
import { findPayoutRow, type PayoutRow } from './payout-store.ts';
import { claimDuePayouts, pollPayoutSoon } from './poll-store.ts';

/** Polled at the same time; batches of one run. */
const AT_ONCE = 10;
const BATCHES_MAX = 500;

type Found = Outcome<PayoutAnswer | undefined>;

/** The gateway's state of a pay-out; undefined where the gateway does not know it. */
export async function findAtGateway(deps: PayoutDeps, reference: string): Promise<Found> {
  const payout = await requirePayout(deps, reference);
  return lookUpPayout(deps, deps.payerOf(payout), payout);
}

async function requirePayout({ db }: PayoutDeps, reference: string): Promise<PayoutRow> {
  const payout = await findPayoutRow(db, reference);
  if (!payout) throw new Error(`The pay-out ${reference} was not recorded`);
  return payout;
}

/** Asks the gateway for the state of a pay-out now, and books a certain one. */
export async function pollPayout(deps: PayoutDeps, reference: string): Promise<Found> {
  const payout = await requirePayout(deps, reference);
  const found = await askGateway(deps, payout);
  const state = found.kind === 'done' ? found.value : undefined;
  if (state && state.status !== 'PENDING')
    await transact(deps.db, (tx) => applyPayoutResult(deps, tx, reference, state));
  return found;
}

/**
 * Call-backs get lost, and the gateway does not repeat that a bank has returned money weeks later. So each pay-out
 * is polled by its age, whether or not a flow waits for it.
 */
export const payoutPollSchedule = (deps: PayoutDeps): Schedule =>
  defineSchedule({
    name: 'payouts.look',
    cron: '*/10 * * * *',
    async run({ signal }) {
      for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch += 1) {
        const due = await claimDuePayouts(deps.db, AT_ONCE);
        await Promise.all(due.map((payout) => pollDue(deps, payout)));
        if (due.length < AT_ONCE) return;
      }
    },
  });

/** A poll without an answer is repeated soon, and delays no other. */
async function pollDue(deps: PayoutDeps, { reference }: PayoutRow): Promise<void> {
  const found = await pollPayout(deps, reference).catch((error: unknown) => {
    deps.log.error({ err: error, reference }, 'The polled state of a pay-out was not booked');
    return undefined;
  });
  if (found?.kind !== 'done') await pollPayoutSoon(deps.db, reference);
}
