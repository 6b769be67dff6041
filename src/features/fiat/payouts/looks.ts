import type { Outcome } from '#kernel/effects/outcome.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import type { PayoutDeps } from './deps.ts';
import { lookUpPayout, type PayoutTold } from './gateway-calls.ts';
import { lookSoon, takePayoutDue } from './look-store.ts';
import { applyWord, askAbout } from './news.ts';
import { findPayoutRow, type PayoutRow } from './payout-store.ts';

/** Asked for at the same time, and so many times in one run. */
const AT_ONCE = 10;
const BATCHES_MAX = 500;

type Told = Outcome<PayoutTold | undefined>;

/** What the gateway knows of one; nothing where it knows nothing. */
export async function findOne(deps: PayoutDeps, reference: string): Promise<Told> {
  const payout = await writtenDown(deps, reference);
  return lookUpPayout(deps, deps.payerOf(payout), payout);
}

async function writtenDown({ db }: PayoutDeps, reference: string): Promise<PayoutRow> {
  const payout = await findPayoutRow(db, reference);
  if (!payout) throw new Error(`The pay-out ${reference} was not written down`);
  return payout;
}

/** Asks the gateway what has become of one here and now, and books what is certain. */
export async function lookAtOne(deps: PayoutDeps, reference: string): Promise<Told> {
  const payout = await writtenDown(deps, reference);
  const told = await askAbout(deps, payout);
  const word = told.kind === 'done' ? told.value : undefined;
  if (word && word.status !== 'PENDING')
    await transact(deps.db, (tx) => applyWord(deps, tx, reference, word));
  return told;
}

/**
 * Call-backs get lost, and nobody repeats that a bank has sent money back weeks later. So each pay-out is
 * asked about by its age, whether or not anybody waits for it.
 */
export const lookSchedule = (deps: PayoutDeps): Schedule =>
  defineSchedule({
    name: 'payouts.look',
    cron: '*/10 * * * *',
    async run({ signal }) {
      for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch += 1) {
        const due = await takePayoutDue(deps.db, AT_ONCE);
        await Promise.all(due.map((payout) => lookAtDue(deps, payout)));
        if (due.length < AT_ONCE) return;
      }
    },
  });

/** One that cannot be told now is asked about again soon, and keeps no other waiting. */
async function lookAtDue(deps: PayoutDeps, { reference }: PayoutRow): Promise<void> {
  const told = await lookAtOne(deps, reference).catch((error: unknown) => {
    deps.log.error({ err: error, reference }, 'What the gateway says of a pay-out was not booked');
    return undefined;
  });
  if (told?.kind !== 'done') await lookSoon(deps.db, reference);
}
