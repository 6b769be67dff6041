import type { Feature } from '#kernel/feature.ts';
import { advanceSchedule } from './advance.ts';
import { batchApprovals } from './approvals.ts';
import { openBatchesOf } from './closing-store.ts';
import type { BatchDeps } from './deps.ts';
import { BATCH_EVENTS } from './events.ts';
import { executing } from './executing.ts';
import { BATCH_HOLDS } from './holds-store.ts';
import { BATCH_ITEM_EVENTS, BATCH_PAYMENTS, ITEM_PAYMENT } from './item-events.ts';
import { BATCHES_PERSON_DATA } from './person-data.ts';
import { BATCHES_WORDS } from './reference.ts';
import { batchRoutes } from './routes.ts';
import { filesOfBatches } from './store.ts';

export { BATCH_HOLDS } from './holds-store.ts';
export { SEALED_BATCH_ITEMS } from './item-payee.ts';
export { isRecipientInBatch } from './items-store.ts';

/** Many payments out of one wallet, approved together. */
export function createBatches(given: BatchDeps): Feature {
  const deps = executing(given);
  const { paying, crediting, advancing, payer } = deps;
  return {
    name: 'batches',
    personData: BATCHES_PERSON_DATA,
    closing: [openBatchesOf],
    reference: BATCHES_WORDS,
    routes: batchRoutes({ ...given, ...deps }),
    machines: [paying, crediting],
    jobs: [advancing],
    schedules: [advanceSchedule(deps)],
    rails: [given.payouts.rail(payer)],
    events: [...BATCH_EVENTS, ...BATCH_ITEM_EVENTS],
    holds: [BATCH_HOLDS],
    fileUses: [{ by: 'batches', find: filesOfBatches }],
    approvals: [batchApprovals({ ...given, ...deps })],
    payments: [{ object: ITEM_PAYMENT, rail: 'batch', source: BATCH_PAYMENTS }],
  };
}
