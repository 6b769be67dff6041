import { countUnmatchedMoney } from '#features/commerce/invoices/invoices.ts';
import type { OpenWork, SumDifference } from '#features/operator/backoffice/backoffice.ts';
import { unmatchedRupiah } from '#features/ramps/idr-token/idr-token.ts';
import type { Db } from '#kernel/db/db.ts';
import { stalledWork } from '#kernel/jobs/work-store.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { openExcess } from '#kernel/ledger/excess.ts';
import { openQuestions } from '#kernel/ledger/questions.ts';
import { format } from '#kernel/money/money.ts';
import { openBreaks } from '#kernel/reconciliation/break-store.ts';
import { openDiscrepancies } from '#kernel/reconciliation/discrepancies.ts';

const STALLED_MAX = 100;
const IN_DOUBT_MAX = 100;

/** Asks for all of it. Changes nothing. */
export async function openWork(kernel: Kernel): Promise<OpenWork> {
  const { db, jobs, effects, inboxes, sagas } = kernel;
  const { queues } = await jobs.stats();
  return {
    queues: [...queues],
    dead_letters: await jobs.deadLetters(),
    effects: await effects.stats(db),
    inbox: await inboxes.stats(db),
    flows: await sagas.stats(db),
    stalled: await stalledWork(db, STALLED_MAX),
    breaks: await openBreaks(db),
    unmatched: [
      ...(await unmatchedRupiah(db)).map((one) => ({ rail: 'idr_token', ...one })),
      ...(await countUnmatchedMoney(db)).map((one) => ({ rail: 'invoice', ...one })),
    ],
    in_doubt: await effects.inDoubt(db, IN_DOUBT_MAX),
    discrepancies: await discrepant(db),
    returned_twice: (await openExcess(db, STALLED_MAX)).map(({ asset, units, ...rest }) => ({
      ...rest,
      currency: asset,
      amount: format({ asset, units }),
    })),
  };
}

/** Both kinds, oldest first. */
async function discrepant(db: Db): Promise<SumDifference[]> {
  const sums = (await openDiscrepancies(db, STALLED_MAX)).map((one): SumDifference => {
    const { kind, reference: id, asset, ordered, reported, since } = one;
    const [ours, theirs] = [format({ asset, units: ordered }), format({ asset, units: reported })];
    return { cause: 'ANOTHER_SUM', kind, id, currency: asset, ours, theirs, since };
  });
  const reversals = (await openQuestions(db, STALLED_MAX)).map((one): SumDifference => {
    const { payment: id, asset, paid, refunded, since } = one;
    const [ours, theirs] = [format({ asset, units: refunded }), format({ asset, units: paid })];
    const cause = 'REVERSED_AFTER_REFUND';
    return { cause, kind: 'card-reversal', id, currency: asset, ours, theirs, since };
  });
  return [...sums, ...reversals].sort((a, b) => Date.parse(a.since) - Date.parse(b.since));
}
