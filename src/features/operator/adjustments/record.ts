import { type Activity, logActivities } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { type AdjustmentOutcome, emitAdjustment } from './events.ts';
import { shownAdjustment } from './presenters.ts';
import type { Adjustment } from './store.ts';

/** The admin who does it; null where it expires by itself. */
export interface AdjustmentActor {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

const ACTIONS = {
  proposed: 'ADJUSTMENT_PROPOSED',
  booked: 'ADJUSTMENT_BOOKED',
  rejected: 'ADJUSTMENT_REJECTED',
  withdrawn: 'ADJUSTMENT_WITHDRAWN',
  expired: 'ADJUSTMENT_EXPIRED',
  voided: 'ADJUSTMENT_VOIDED',
} as const satisfies Readonly<Record<AdjustmentOutcome, string>>;

/** Emits an event for each, and logs its actor and its status before. */
export async function record(
  tx: Db,
  became: AdjustmentOutcome,
  rows: readonly Adjustment[],
  { by, now }: { readonly by: AdjustmentActor | null; readonly now: Date },
): Promise<void> {
  for (const row of rows) emitAdjustment(tx, became, row, now);
  await logActivities(
    tx,
    rows.map((row) => activityOf(became, row, by, now)),
  );
}

function activityOf(
  became: AdjustmentOutcome,
  row: Adjustment,
  by: AdjustmentActor | null,
  now: Date,
): Activity {
  const { adjustment_id, kind, of, status, amount, currency, entries, reference, decision_note } =
    shownAdjustment(row, now);
  return {
    action: ACTIONS[became],
    actor: by?.caller ?? null,
    ...(row.user_id === null ? {} : { subject_user_id: row.user_id }),
    details: {
      adjustment_id,
      kind,
      of,
      reason: row.reason,
      amount,
      currency,
      entries,
      before: became === 'proposed' ? null : { status: 'PROPOSED' },
      after: { status, reference, decision_note },
    },
    ...(by && { request: by.request }),
  };
}
