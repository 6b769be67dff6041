import type { Db } from '#kernel/db/db.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import type { ExecutingDeps } from './deps.ts';
import { emitBatch } from './events.ts';
import { itemSums } from './items-store.ts';
import { endWaitingItems, freeFailedItems, hasRetryable } from './lanes-store.ts';
import { type BatchFailure, failureText } from './obstacles.ts';
import { releaseOfBatch } from './postings.ts';
import { endBatchQuote } from './quoted.ts';
import { type BatchStatus, moveBatch, type PaymentBatch } from './store.ts';

type Clocked = Pick<ExecutingDeps, 'clock'>;
type End = Extract<BatchStatus, 'COMPLETED' | 'PARTIALLY_COMPLETED' | 'FAILED' | 'CANCELLED'>;

const VERBS = {
  COMPLETED: 'completed',
  PARTIALLY_COMPLETED: 'partially_completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
} as const;

interface Concluding {
  /** Of payments that were called off just now. */
  readonly freed?: bigint;
  readonly failure?: BatchFailure;
}

/** Ends a locked batch of which no payment is open, and frees what did not arrive, with its fees. Posts, last. */
export async function concludeBatch(
  deps: Clocked,
  tx: Db,
  batch: PaymentBatch,
  { freed = 0n, failure }: Concluding = {},
): Promise<PaymentBatch> {
  const { batch_id, our_reference, status } = batch;
  const units = freed + (await freeFailedItems(tx, batch_id));
  const to = await endOf(tx, batch_id);
  const why = to === 'FAILED' ? (failure ?? NOTHING_PAID) : failure;
  const change = {
    lacks_since: null,
    failure: why === undefined ? null : failureText(deps, why),
  };
  const row = await moveBatch(tx, { our_reference, status }, to, change);
  if (!row) throw new Error(`${our_reference} is locked and has moved`);
  const isOver = to === 'CANCELLED' || (to === 'FAILED' && !(await hasRetryable(tx, batch_id)));
  if (isOver) await giveBackOf(tx, row);
  await endBatchQuote(tx, row);
  await emitBatch(tx, VERBS[to], row);
  await releaseOfBatch(tx, row, units);
  return row;
}

const NOTHING_PAID: BatchFailure = {
  code: 'NOTHING_PAID',
  message: 'No payment of it arrived',
  retryable: false,
};

async function endOf(tx: Db, batch_id: string): Promise<End> {
  const sums = await itemSums(tx, [batch_id]);
  const has = (...statuses: string[]) => sums.some(({ status }) => statuses.includes(status));
  if (has('COMPLETED', 'RETURNED'))
    return has('FAILED', 'CANCELLED') ? 'PARTIALLY_COMPLETED' : 'COMPLETED';
  return has('FAILED') ? 'FAILED' : 'CANCELLED';
}

/** Fails all that has not begun; the batch is over where nothing else is on its way. Posts, last. */
export async function failBatch(
  deps: Clocked,
  tx: Db,
  batch: PaymentBatch,
  failure: BatchFailure,
): Promise<void> {
  const retryable = failure.retryable && batch.quote_id === null;
  const text = failureText(deps, { ...failure, retryable });
  await endWaitingItems(tx, batch.batch_id, { to: 'FAILED', failure: text });
  const sums = await itemSums(tx, [batch.batch_id]);
  if (sums.some(({ status }) => status === 'PROCESSING')) return;
  await concludeBatch(deps, tx, batch, { failure });
}

/** Nothing of it is paid: what it took from limits is free again. */
export async function giveBackOf(
  tx: Db,
  { decided_as }: Pick<PaymentBatch, 'decided_as'>,
): Promise<void> {
  if (decided_as !== null) await giveBackLimits(tx, { operation: decided_as, kind: 'batch' });
}
