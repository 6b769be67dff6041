import { readPolicyMarket } from '#features/fiat/fx/fx.ts';
import { spendGatewayCost } from '#features/fiat/payouts/payouts.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { requireVersion } from '#kernel/http/declare/if-match.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { uncovered } from '#kernel/money/cost.ts';
import { claimReferences } from '#kernel/object-names/claims-store.ts';
import type { PolicyDecision } from '#kernel/policies/decide.ts';
import { transact } from '#kernel/transact.ts';
import {
  contentOf,
  currentHashOf,
  type KnownContent,
  type RecipientsAtLarge,
  recipientsAtLarge,
} from './content.ts';
import type { BatchDeps, ExecutingDeps } from './deps.ts';
import { type BatchActor, recordBatch } from './draft.ts';
import { emitBatch } from './events.ts';
import { ITEM_PAYMENT } from './item-events.ts';
import { gatewayItems, itemReferences } from './items-store.ts';
import { batchPolicy, decidedAs } from './policy.ts';
import { ITEM_KIND } from './read-rows.ts';
import { receiversOf } from './receivers.ts';
import { scheduleBatch } from './schedule-batch.ts';
import { lockBatch, moveBatch, type PaymentBatch } from './store.ts';

export interface SubmitDeps extends BatchDeps, Pick<ExecutingDeps, 'advancing'> {}

interface Submission extends BatchActor {
  readonly version: number | undefined;
  readonly content_hash: string;
}

/**
 * Submits a draft as it was read: policies decide about it, and its references are taken for good. Without anybody who
 * has to approve it, its money is held at once.
 */
export async function submitBatch(
  deps: SubmitDeps,
  { our_reference }: PaymentBatch,
  submission: Submission,
): Promise<PaymentBatch> {
  const market = await readPolicyMarket(deps.fx);
  return transact(deps.db, async (tx) => {
    const batch = await lockBatch(tx, our_reference);
    if (isSubmitted(batch, submission)) return batch;
    const content = await contentOf(tx, batch);
    requireSubmittable(batch, content, submission);
    await claimAll(tx, batch);
    const recipients = recipientsAtLarge(content);
    const now = deps.clock.now();
    const receivers = await receiversOf(tx, batch, content);
    const seen = { market, recipients, receivers, now };
    const policy = batchPolicy(batch, { ...submission, ...seen });
    const decision = await deps.policies.decide(tx, policy);
    requireOwnOrSecond(batch, submission, decision);
    await spendBatchCost(deps, tx, batch, submission);
    const change = {
      submitted_by: submission.caller.user_id,
      decided_as: decidedAs(batch),
      ...timesOf(batch, { usable_from: recipients.usable_from, ...decision }, now),
    };
    await recordBatch(tx, 'SUBMITTED', batch, submission);
    if (decision.approval_id === undefined) return scheduleBatch(deps, tx, batch, change);
    const row = await moveBatch(tx, { our_reference }, 'PENDING_APPROVAL', change);
    if (!row) throw new Error(`${our_reference} is locked and gone`);
    await emitBatch(tx, 'submitted', row);
    return row;
  });
}

const OVER: readonly string[] = ['DRAFT', 'REJECTED', 'CANCELLED', 'EXPIRED'];

/** The same again is answered with the batch. */
const isSubmitted = ({ status, content_hash }: PaymentBatch, sent: Submission): boolean =>
  !OVER.includes(status) && content_hash === sent.content_hash;

function requireSubmittable(batch: PaymentBatch, content: KnownContent, sent: Submission): void {
  const { status, errors, item_count, content_hash, version } = batch;
  if (status !== 'DRAFT') throw notAllowedIn(status, ['DRAFT']);
  if (errors.length > 0 || item_count === 0)
    throw fail('INVALID_STATUS', 'It has rows that cannot be paid', {
      status: 409,
      details: { status, allowed: ['DRAFT'], errors: errors.length },
      hint: 'Replace its items: PUT /batches/{batch_id}/items.',
    });
  if (sent.content_hash !== content_hash || currentHashOf(batch, content) !== content_hash)
    throw fail('CONTENT_CHANGED', 'It is not what you have read: read it again', {
      hint: 'Where a recipient was changed, replace the items of the batch.',
    });
  requireVersion(version, sent.version);
}

/** From now on no other payment of the client has these references. */
async function claimAll(tx: Db, { batch_id, client_id, user_id }: PaymentBatch): Promise<void> {
  const of = { client_id, user_id, kind: ITEM_KIND, object_type: ITEM_PAYMENT };
  const [taken] = await claimReferences(tx, of, await itemReferences(tx, batch_id));
  if (taken !== undefined)
    throw fail('REFERENCE_IN_USE', `Another payment of a batch has the reference ${taken}`, {
      details: { reference: taken },
    });
}

/** An admin prepares and submits for a user; the money goes by the user's own act, or by another person's approval. */
function requireOwnOrSecond(
  { user_id }: PaymentBatch,
  { caller }: Submission,
  { approval_id }: PolicyDecision,
): void {
  if (caller.user_id === user_id || approval_id !== undefined) return;
  throw fail(
    'SECOND_PERSON_REQUIRED',
    'No policy asks for an approval here: the owner of the wallet has to submit it',
  );
}

/** When it may be paid: at the latest of what was asked for, what a policy says, and a day after an account's change. */
function timesOf(
  { execute_at }: PaymentBatch,
  { usable_from, held_until }: Pick<RecipientsAtLarge, 'usable_from'> & PolicyDecision,
  now: Date,
): Pick<PaymentBatch, 'held_until' | 'due_at'> {
  const held = [usable_from ?? now, held_until ?? now];
  const until = Math.max(...held.map(Number));
  const asked = execute_at === null ? now.getTime() : Date.parse(execute_at);
  return {
    held_until: until > now.getTime() ? new Date(until).toISOString() : null,
    due_at: new Date(Math.max(now.getTime(), asked, until)).toISOString(),
  };
}

/** What the transfers cost the platform beyond their fees, from the submitter's budget. */
async function spendBatchCost(
  deps: SubmitDeps,
  tx: Db,
  { batch_id }: PaymentBatch,
  { caller, request }: BatchActor,
): Promise<void> {
  const { asset, units } = deps.prices('gateway.payout');
  const fees = await gatewayItems(tx, batch_id);
  const open = fees.reduce((sum, fee) => sum + uncovered(units, fee), 0n);
  const by = requesterOf(caller, request);
  await spendGatewayCost(tx, deps, { name: 'batches', cost: { asset, units: open } }, by);
}
