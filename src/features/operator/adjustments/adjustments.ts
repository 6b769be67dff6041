import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { ADJUSTMENT_EVENTS, ADJUSTMENT_PAYMENTS } from './events.ts';
import { adjustmentExpirySchedule } from './expiry.ts';
import { ADJUSTMENTS_PERSON_DATA } from './person-data.ts';
import { ADJUSTMENTS_WORDS } from './reference.ts';
import { type AdjustmentDeps, adjustmentRoutes } from './routes.ts';
import { countWaiting } from './store.ts';

export { voidProposalsOf } from './revoke.ts';

/** Corrections of the ledger by admins of the operator: one proposes, another approves. */
export function createAdjustments(deps: AdjustmentDeps & Pick<Kernel, 'db' | 'metrics'>): Feature {
  deps.metrics.gauge(
    'archipay_adjustments_waiting',
    'Corrections of the ledger that wait for a second person',
    [],
    async () => [{ labels: {}, value: await countWaiting(deps.db) }],
  );
  return {
    name: 'adjustments',
    personData: ADJUSTMENTS_PERSON_DATA,
    reference: ADJUSTMENTS_WORDS,
    payments: [{ object: 'adjustment', rail: 'operator', source: ADJUSTMENT_PAYMENTS }],
    routes: adjustmentRoutes(deps),
    events: ADJUSTMENT_EVENTS,
    schedules: [adjustmentExpirySchedule(deps)],
  };
}
