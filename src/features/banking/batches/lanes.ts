import type { Db } from '#kernel/db/db.ts';
import { objectId } from '#kernel/object-id.ts';
import type { ExecutingDeps } from './deps.ts';
import { emitItem } from './item-events.ts';
import { type BatchItem, moveItem } from './items-store.ts';
import { beginItems, openItems } from './lanes-store.ts';
import { type BatchFailure, failureText, itemObstacle, walletObstacle } from './obstacles.ts';

type LaneDeps = Pick<
  ExecutingDeps,
  'clock' | 'jobs' | 'sagas' | 'paying' | 'crediting' | 'advancing'
>;

/**
 * Begins so many of the next payments in the caller's transaction. What cannot be paid any more fails at once, without
 * a provider being asked, and its lane goes to the next. Answers how many are on their way.
 */
export async function beginNext(
  deps: LaneDeps,
  tx: Db,
  batch_id: string,
  most: number,
): Promise<number> {
  let begun = 0;
  while (begun < most) {
    const items = await beginItems(tx, batch_id, most - begun);
    const [first] = items;
    if (!first) break;
    const why = await walletObstacle(tx, first);
    for (const item of items) if (await startItem(deps, tx, item, why)) begun += 1;
  }
  return begun;
}

/** One that has been moved to PROCESSING; false where it has failed at once. */
export async function startItem(
  { clock, sagas, paying, crediting }: Omit<LaneDeps, 'jobs' | 'advancing'>,
  tx: Db,
  item: BatchItem,
  why: BatchFailure | undefined,
): Promise<boolean> {
  const obstacle = why ?? (await itemObstacle(tx, item));
  if (obstacle) {
    await failItem({ clock }, tx, item, obstacle);
    return false;
  }
  emitItem(tx, 'processing', item);
  const given = { id: item.our_reference, data: {} };
  if (item.rail === 'wallet') await sagas.start(tx, crediting, given);
  else await sagas.start(tx, paying, given);
  return true;
}

/** PROCESSING to FAILED; its money stays set aside until its batch is over. */
export async function failItem(
  deps: Pick<ExecutingDeps, 'clock'>,
  tx: Db,
  { our_reference, received_currency }: Pick<BatchItem, 'our_reference' | 'received_currency'>,
  failure: BatchFailure,
): Promise<BatchItem> {
  // A quote is for one try: later ones would choose among rates of the past.
  const retryable = failure.retryable && received_currency === null;
  const known = { our_reference, status: 'PROCESSING' as const };
  const change = { in_lane: false, failure: failureText(deps, { ...failure, retryable }) };
  const row = await moveItem(tx, known, 'FAILED', change);
  if (!row) throw new Error(`${our_reference} is not being paid`);
  emitItem(tx, 'failed', row);
  return row;
}

/**
 * The provider has taken a payment, or it is over: the next one of its batch begins in this transaction, so that a
 * killed process leaves as many lanes in use as there were. Where each payment is held by itself the next one has a
 * posting of its own, and so a transaction.
 */
export async function leaveLane(
  deps: LaneDeps,
  tx: Db,
  item: Pick<BatchItem, 'batch_id' | 'in_lane'>,
): Promise<void> {
  if (!item.in_lane) return;
  const { batch_id } = item;
  if ((await beginNext(deps, tx, batch_id, 1)) === 0) await lookAtBatch(deps, tx, batch_id);
}

/** Has the batch looked at where this may have been its last payment, or the next waits for a posting of its own. */
export async function lookAtBatch(deps: LaneDeps, tx: Db, batch_id: string): Promise<void> {
  const { pending, held } = await openItems(tx, batch_id);
  if (held && !pending) return;
  const batch = objectId('bat', batch_id);
  await deps.jobs.enqueue(tx, deps.advancing, { batch }, { key: batch });
}
