import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { requireVersion } from '#kernel/http/declare/if-match.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { lockApprovalOf } from '#kernel/policies/approval-store.ts';
import type { ApprovalSubject, EndedWithout } from '#kernel/policies/approvals.ts';
import { giveBackOf } from './conclude.ts';
import { contentOf, currentHashOf } from './content.ts';
import type { BatchActor } from './draft.ts';
import { emitBatch } from './events.ts';
import { endWaitingItems } from './lanes-store.ts';
import { failureText } from './obstacles.ts';
import { BATCH_OBJECT } from './policy.ts';
import { scheduleBatch } from './schedule-batch.ts';
import { findBatch, lockBatch, moveBatch, type PaymentBatch } from './store.ts';
import type { SubmitDeps } from './submit.ts';

const ENDS = {
  REJECTED: { to: 'REJECTED', code: 'REJECTED', message: 'It was not approved' },
  EXPIRED: { to: 'EXPIRED', code: 'APPROVAL_EXPIRED', message: 'It was not approved in time' },
  CANCELLED: { to: 'CANCELLED', code: 'CANCELLED', message: 'Its maker was stopped' },
} as const satisfies Record<EndedWithout, object>;

/** What becomes of batches that wait for an approval. Nothing is held before it, and so nothing is given back. */
export const batchApprovals = (deps: SubmitDeps): ApprovalSubject => ({
  object: BATCH_OBJECT,
  async approved(tx, { object_id }) {
    const batch = await lockBatch(tx, object_id);
    if (batch.status !== 'PENDING_APPROVAL') throw notAllowedIn(batch.status, WAITING);
    if (currentHashOf(batch, await contentOf(tx, batch)) !== batch.content_hash)
      throw fail(
        'CONTENT_CHANGED',
        'The account of a recipient was changed since it was submitted',
      );
    await scheduleBatch(deps, tx, batch);
  },
  async cancelled(tx, { object_id }, why) {
    const batch = await lockBatch(tx, object_id);
    if (batch.status !== 'PENDING_APPROVAL') return;
    const { to, code, message } = ENDS[why];
    const failure = failureText(deps, { code, message, retryable: false });
    await giveBackOf(tx, batch);
    await endWaitingItems(tx, batch.batch_id, { to: 'CANCELLED', failure });
    const row = await moveBatch(tx, { our_reference: object_id }, to, { failure });
    if (row) await emitBatch(tx, why === 'REJECTED' ? 'rejected' : 'cancelled', row);
  },
});

const WAITING = ['PENDING_APPROVAL'] as const;
const AFTER: Readonly<Record<'approve' | 'reject', readonly string[]>> = {
  approve: ['SCHEDULED', 'PROCESSING', 'COMPLETED', 'PARTIALLY_COMPLETED', 'FAILED'],
  reject: ['REJECTED'],
};

interface Decision extends BatchActor {
  readonly act: 'approve' | 'reject';
  readonly version: number;
  readonly content_hash: string;
  readonly note: string | null;
}

/** An admin's word about a batch, as about anything that waits: it names what was read. In the caller's transaction. */
export async function decideBatch(
  deps: SubmitDeps,
  tx: Db,
  { our_reference, submitted_by }: PaymentBatch,
  { act, version, content_hash, note, caller, request }: Decision,
): Promise<PaymentBatch> {
  const object = { object_type: BATCH_OBJECT, object_id: our_reference };
  // Its own lock comes first; whatever is decided takes the batch's after that.
  const approval = await lockApprovalOf(tx, object);
  const batch = await again(tx, our_reference);
  if (!approval && AFTER[act].includes(batch.status)) return batch;
  if (!approval) throw notAllowedIn(batch.status, WAITING);
  if (batch.content_hash !== content_hash)
    throw fail('CONTENT_CHANGED', 'It is not what you have read: read it again');
  requireVersion(batch.version, version);
  if (caller.user_id === submitted_by && act === 'approve') throw notItsSubmitter();
  await deps.approvals.decideApproval(tx, {
    caller,
    request,
    note,
    now: deps.clock.now(),
    approval_id: approval.approval_id,
    version: approval.version,
    content_hash: approval.content_hash,
    is_approval: act === 'approve',
  });
  return again(tx, our_reference);
}

async function again(tx: Db, our_reference: string): Promise<PaymentBatch> {
  const row = await findBatch(tx, { our_reference });
  if (!row) throw new Error(`${our_reference} vanished`);
  return row;
}

const notItsSubmitter = () =>
  fail('SECOND_PERSON_REQUIRED', 'It takes another person than the one who has submitted it');
