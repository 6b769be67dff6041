import type { Db } from '#kernel/db/db.ts';
import { requireVersion } from '#kernel/http/declare/if-match.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { dropReferences } from '#kernel/object-names/claims-store.ts';
import { dropApproval } from '#kernel/policies/approvals.ts';
import { transact } from '#kernel/transact.ts';
import { giveBackOf } from './conclude.ts';
import { contentHashOfBatch, writtenLines } from './content.ts';
import type { BatchDeps } from './deps.ts';
import {
  type BatchActor,
  hashOfRows,
  payingWallet,
  quotedColumns,
  recordBatch,
  requireTime,
} from './draft.ts';
import { ITEM_PAYMENT } from './item-events.ts';
import { deleteItems, hashedLines, insertItems, itemIds } from './items-store.ts';
import { BATCH_OBJECT } from './policy.ts';
import { readRows } from './read-rows.ts';
import { editBatch, lockBatch, moveBatch, type PaymentBatch } from './store.ts';
import type { SentRow } from './typed-rows.ts';

const EDITABLE = ['DRAFT', 'PENDING_APPROVAL'] as const;

interface Edit extends BatchActor {
  /** The one that was read, where the caller says it. */
  readonly version: number | undefined;
}

export interface BatchPatch {
  readonly name?: string | undefined;
  readonly execute_at?: string | null | undefined;
}

/** Changes name or time. What was submitted is a draft again, and what people said of it counts no more. */
export async function patchBatch(
  deps: BatchDeps,
  before: PaymentBatch,
  { name = before.name, execute_at = before.execute_at }: BatchPatch,
  edit: Edit,
): Promise<PaymentBatch> {
  if (execute_at !== before.execute_at) requireTime(execute_at, deps.clock.now());
  return transact(deps.db, async (tx) => {
    const batch = await takeBack(deps, tx, before, edit.version);
    const lines = writtenLines(await hashedLines(tx, batch.batch_id));
    const content_hash = contentHashOfBatch({ ...batch, execute_at }, lines);
    return changed(tx, batch, { name, execute_at, content_hash }, edit);
  });
}

interface Replacement {
  readonly rows: readonly SentRow[];
  /** Null for none; left out where it stays. */
  readonly quote_id?: string | null | undefined;
}

/** Puts other lines in the place of all there are, and another quote where one is named. */
export async function replaceItems(
  deps: BatchDeps,
  before: PaymentBatch,
  { rows, quote_id = before.quote_id }: Replacement,
  edit: Edit,
): Promise<PaymentBatch> {
  const { db } = deps;
  const { wallet_id, funding } = before;
  const from = await payingWallet(db, edit.caller, wallet_id, { funding, quote_id });
  // Its own references count as used while it is submitted.
  if (before.status === 'PENDING_APPROVAL')
    await transact(db, (tx) => takeBack(deps, tx, before, edit.version).then(() => undefined));
  const isTaken = before.status === 'PENDING_APPROVAL';
  const read = await readRows(deps, db, { from, batch: before.our_reference }, rows);
  const quote = quotedColumns(from, read);
  return transact(db, async (tx) => {
    const batch = await takeBack(deps, tx, before, isTaken ? undefined : edit.version);
    await deleteItems(tx, batch.batch_id);
    const { total, fees, errors, items } = read;
    const terms = { ...batch, fees, ...quote };
    const content_hash = hashOfRows({ ...terms, pays: from.pays }, read);
    const sums = { total, fees, item_count: items.length, content_hash, ...quote };
    const change = { ...sums, errors: JSON.stringify(errors) as never };
    const row = await changed(tx, batch, change, edit);
    await insertItems(tx, batch.batch_id, items);
    return row;
  });
}

async function changed(
  tx: Db,
  { our_reference }: PaymentBatch,
  change: Parameters<typeof editBatch>[2],
  edit: BatchActor,
): Promise<PaymentBatch> {
  const row = await editBatch(tx, { our_reference, status: 'DRAFT' }, change);
  if (!row) throw new Error(`${our_reference} is locked and no draft`);
  await recordBatch(tx, 'CHANGED', row, edit);
  return row;
}

/** A draft, locked, whatever was asked of others about it. Throws INVALID_STATUS and VERSION_CONFLICT. */
async function takeBack(
  { clock }: Pick<BatchDeps, 'clock'>,
  tx: Db,
  { our_reference: id }: PaymentBatch,
  version: number | undefined,
): Promise<PaymentBatch> {
  // An approval is decided under its own lock, and takes the batch's after that: so does this.
  await dropApproval(tx, { type: BATCH_OBJECT, id }, clock.now());
  const batch = await lockBatch(tx, id);
  if (batch.status !== 'DRAFT' && batch.status !== 'PENDING_APPROVAL')
    throw notAllowedIn(batch.status, EDITABLE);
  requireVersion(batch.version, version);
  if (batch.status === 'DRAFT') return batch;
  await giveBackOf(tx, batch);
  await dropReferences(tx, ITEM_PAYMENT, await itemIds(tx, batch.batch_id));
  const row = await moveBatch(tx, { our_reference: id }, 'DRAFT', { decided_as: null });
  if (!row) throw new Error(`${id} is locked and gone`);
  return row;
}
