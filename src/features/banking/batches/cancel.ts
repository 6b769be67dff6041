import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { dropApproval } from '#kernel/policies/approvals.ts';
import { concludeBatch, giveBackOf } from './conclude.ts';
import type { ExecutingDeps } from './deps.ts';
import { type BatchActor, recordBatch } from './draft.ts';
import { emitBatch } from './events.ts';
import { endWaitingItems, heldForWaiting, openItems, retryItems } from './lanes-store.ts';
import { BATCH_OBJECT } from './policy.ts';
import { holdForBatch, releaseOfBatch } from './postings.ts';
import { endBatchQuote } from './quoted.ts';
import { editBatch, lockBatch, moveBatch, type PaymentBatch } from './store.ts';

const CANCELLABLE = ['DRAFT', 'PENDING_APPROVAL', 'SCHEDULED', 'PROCESSING'] as const;
const CALLED_OFF = null;

/** Calls off what has not begun, and gives its money back at once. The same again answers the batch. Posts, last. */
export async function cancelBatch(
  deps: Pick<ExecutingDeps, 'clock'>,
  tx: Db,
  { our_reference: id }: PaymentBatch,
  by: BatchActor,
): Promise<PaymentBatch> {
  // An approval is decided under its own lock, and takes the batch's after that: so does this.
  await dropApproval(tx, { type: BATCH_OBJECT, id }, deps.clock.now());
  const batch = await lockBatch(tx, id);
  if (batch.status === 'CANCELLED') return batch;
  if (!CANCELLABLE.some((status) => status === batch.status))
    throw notAllowedIn(batch.status, CANCELLABLE);
  const { held, pending, paying } = await openItems(tx, batch.batch_id);
  if (batch.status === 'PROCESSING' && !held && !pending) return batch;
  await recordBatch(tx, 'CANCELLED', batch, by);
  const freed = await heldForWaiting(tx, batch.batch_id);
  await endWaitingItems(tx, batch.batch_id, { to: 'CANCELLED', failure: CALLED_OFF });
  if (paying) return callOffRest(tx, batch, freed);
  if (batch.status === 'PROCESSING') return concludeBatch(deps, tx, batch, { freed });
  await giveBackOf(tx, batch);
  await endBatchQuote(tx, batch);
  const row = await moveBatch(tx, { our_reference: id }, 'CANCELLED');
  if (!row) throw new Error(`${id} is locked and gone`);
  await emitBatch(tx, 'cancelled', row);
  await releaseOfBatch(tx, row, freed);
  return row;
}

/** Payments that are on their way end as they end; the batch is over after the last of them. */
async function callOffRest(
  tx: Db,
  { our_reference }: PaymentBatch,
  freed: bigint,
): Promise<PaymentBatch> {
  const row = await editBatch(tx, { our_reference }, { lacks_since: null });
  if (!row) throw new Error(`${our_reference} is locked and gone`);
  await releaseOfBatch(tx, row, freed);
  return row;
}

const RETRYABLE = ['PARTIALLY_COMPLETED', 'FAILED'] as const;

/** Pays what failed and may be tried again, under the same references: no provider was asked for it. Posts, last. */
export async function retryBatch(
  { jobs, advancing }: Pick<ExecutingDeps, 'jobs' | 'advancing'>,
  tx: Db,
  { our_reference: id }: PaymentBatch,
  by: BatchActor,
): Promise<PaymentBatch> {
  const batch = await lockBatch(tx, id);
  if (batch.status === 'PROCESSING') return batch;
  if (!RETRYABLE.some((status) => status === batch.status))
    throw notAllowedIn(batch.status, RETRYABLE);
  const isHeld = batch.funding === 'at_approval';
  const { count, sum } = await retryItems(tx, batch.batch_id, isHeld);
  if (count === 0)
    throw fail('INVALID_STATUS', 'None of its failed payments may be tried again', {
      status: 409,
      details: { status: batch.status, allowed: RETRYABLE },
    });
  await recordBatch(tx, 'RETRIED', batch, by);
  const row = await moveBatch(tx, { our_reference: id }, 'PROCESSING', { failure: null });
  if (!row) throw new Error(`${id} is locked and gone`);
  await emitBatch(tx, 'processing', row);
  await jobs.enqueue(tx, advancing, { batch: id }, { key: id });
  if (isHeld) await holdForBatch(tx, row, sum, String(row.version));
  return row;
}
