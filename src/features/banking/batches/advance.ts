import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { DAY_MS } from '#kernel/quota/quota.ts';
import { transact } from '#kernel/transact.ts';
import { concludeBatch, failBatch } from './conclude.ts';
import { contentOf, currentHashOf } from './content.ts';
import type { ExecutingDeps } from './deps.ts';
import { emitBatch } from './events.ts';
import { moveItem } from './items-store.ts';
import { beginNext, startItem } from './lanes.ts';
import { itemsInLanes, lockPendingItem, openItems } from './lanes-store.ts';
import { CONTENT_CHANGED, LACKS_MONEY, walletObstacle } from './obstacles.ts';
import { holdForBatch } from './postings.ts';
import { batchesUnderWay, editBatch, lockBatch, moveBatch, type PaymentBatch } from './store.ts';

/** Does what a batch can do by now: begin, pay its next items, end. Any number of these may run at the same moment. */
export async function advanceBatch(deps: ExecutingDeps, id: string): Promise<void> {
  while (await stepOf(deps, id)) {}
}

/** A step in a transaction of its own; whether another one may follow at once. */
async function stepOf(deps: ExecutingDeps, id: string): Promise<boolean> {
  try {
    return await transact(deps.db, (tx) => step(deps, tx, id));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_BALANCE') throw error;
    return transact(deps.db, (tx) => noteLack(deps, tx, id));
  }
}

async function step(deps: ExecutingDeps, tx: Db, id: string): Promise<boolean> {
  const batch = await lockBatch(tx, id);
  if (batch.status === 'SCHEDULED') return begin(deps, tx, batch);
  if (batch.status !== 'PROCESSING') return false;
  const { held, pending, paying } = await openItems(tx, batch.batch_id);
  const free = deps.config.BATCH_LANES - (await itemsInLanes(tx, batch.batch_id));
  if (held && free > 0) return (await beginNext(deps, tx, batch.batch_id, free)) < free;
  if (pending && free > 0) return beginFunded(deps, tx, batch);
  if (!held && !pending && !paying) await concludeBatch(deps, tx, batch);
  return false;
}

/** SCHEDULED to PROCESSING once it is due. Authority and accounts are looked at again now. */
async function begin(deps: ExecutingDeps, tx: Db, batch: PaymentBatch): Promise<boolean> {
  if (new Date(batch.due_at ?? 0) > deps.clock.now()) return false;
  const isSame = currentHashOf(batch, await contentOf(tx, batch)) === batch.content_hash;
  const failure = isSame ? await walletObstacle(tx, batch) : CONTENT_CHANGED;
  if (failure) {
    await failBatch(deps, tx, batch, failure);
    return false;
  }
  const row = await moveBatch(tx, { our_reference: batch.our_reference }, 'PROCESSING');
  if (!row) throw new Error(`${batch.our_reference} is locked and gone`);
  await emitBatch(tx, 'processing', row);
  return true;
}

/** Holds the next payment by itself, and begins it. Posts, last: INSUFFICIENT_BALANCE undoes all of it. */
async function beginFunded(deps: ExecutingDeps, tx: Db, batch: PaymentBatch): Promise<boolean> {
  const next = await lockPendingItem(tx, batch.batch_id);
  if (!next) return false;
  const { our_reference } = next;
  const change = { is_held: true, in_lane: true, begun_at: deps.clock.now().toISOString() };
  const item = await moveItem(tx, { our_reference, status: 'PENDING' }, 'PROCESSING', change);
  if (!item) throw new Error(`${our_reference} is locked and gone`);
  await startItem(deps, tx, item, await walletObstacle(tx, item));
  if (batch.lacks_since !== null)
    await editBatch(tx, { our_reference: batch.our_reference }, { lacks_since: null });
  await holdForBatch(tx, batch, item.amount + item.fee, `${our_reference}:${item.version}`);
  return true;
}

/** The wallet has too little for the next payment: it is tried again each minute, for a day. */
async function noteLack(deps: ExecutingDeps, tx: Db, id: string): Promise<boolean> {
  const batch = await lockBatch(tx, id);
  if (batch.status !== 'PROCESSING') return false;
  const now = deps.clock.now();
  if (batch.lacks_since === null)
    await editBatch(tx, { our_reference: id }, { lacks_since: now.toISOString() });
  else if (now.getTime() - new Date(batch.lacks_since).getTime() >= DAY_MS)
    await failBatch(deps, tx, batch, LACKS_MONEY);
  return false;
}

const AT_ONCE = 100;

/** Looks at all batches that are due or under way: what a killed process has left goes on. */
export const advanceSchedule = (deps: ExecutingDeps): Schedule =>
  defineSchedule({
    name: 'batches.advance-all',
    cron: '* * * * *',
    async run({ signal }) {
      let after = '';
      while (!signal.aborted) {
        const ids = await batchesUnderWay(deps.db, AT_ONCE, after);
        for (const id of ids) if (!signal.aborted) await advanceBatch(deps, id);
        if (ids.length < AT_ONCE) return;
        after = ids.at(-1) ?? after;
      }
    },
  });
