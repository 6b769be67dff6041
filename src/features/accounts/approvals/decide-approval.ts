import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { requireVersion } from '#kernel/http/declare/if-match.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { objectId } from '#kernel/object-id.ts';
import {
  type Approval,
  findApproval,
  insertVote,
  lockActiveMaker,
  lockApproval,
  touchApproval,
  type VotedApproval,
} from '#kernel/policies/approval-store.ts';
import {
  type ApprovalSubject,
  type EndedWithout,
  endApproval,
} from '#kernel/policies/approvals.ts';
import { approvalStatusOf } from './shapes.ts';

export interface ApprovalDeps {
  /** Of all features. */
  readonly subjects: () => readonly ApprovalSubject[];
}

interface Deciding {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly approval_id: string;
  readonly version: number;
  readonly content_hash: string;
  readonly is_approval: boolean;
  readonly note: string | null;
  readonly now: Date;
}

/** For features whose objects are approved at an address of their own. */
export interface DecidesApprovals {
  /** Keeps what an admin decides, in the caller's transaction, with what follows from it. */
  decideApproval(tx: Db, deciding: Deciding): Promise<VotedApproval>;
}

/**
 * Keeps what an admin decides; the last of those needed lets it go on, one who rejects it ends it. Throws NOT_FOUND,
 * INVALID_STATUS, CONTENT_CHANGED, VERSION_CONFLICT and SECOND_PERSON_REQUIRED.
 */
export async function decideApproval(
  deps: ApprovalDeps,
  tx: Db,
  { caller, request, now, ...deciding }: Deciding,
): Promise<VotedApproval> {
  const { approval_id, version, content_hash, is_approval, note } = deciding;
  const scope = caller.operator ? undefined : caller.client_id;
  const found = await lockApproval(tx, scope, approval_id);
  if (!found) throw fail('NOT_FOUND', 'Approval not found');
  const status = approvalStatusOf(found, now);
  if (status === (is_approval ? 'APPROVED' : 'REJECTED')) return found;
  if (status !== 'PENDING') throw notAllowedIn(status, ['PENDING']);
  if (found.content_hash !== content_hash)
    throw fail('CONTENT_CHANGED', 'It is not what you have read: read it again');
  if (found.votes.some(({ by }) => by === caller.user_id) && is_approval) return found;
  requireVersion(found.version, version);
  // A job cancels what its maker left, a moment after the suspension.
  if (is_approval && !(await lockActiveMaker(tx, found.made_by)))
    throw notAllowedIn('CANCELLED', ['PENDING']);
  const vote = { approval_id, is_approval, note, user_id: caller.user_id };
  await insertVote(tx, vote).catch((error: unknown) => {
    throw (error as { constraint?: unknown }).constraint === 'approvals_by_others'
      ? notAnother()
      : error;
  });
  await logActivity(tx, {
    action: is_approval ? 'APPROVAL_GIVEN' : 'APPROVAL_REFUSED',
    actor: caller,
    client_id: found.client_id,
    subject_user_id: found.made_by,
    details: {
      approval_id: objectId('apr', approval_id),
      object: { type: found.object_type, id: found.object_id },
      content_hash,
      note,
    },
    request,
  });
  await conclude(deps, tx, found, { is_approval, now });
  return again(tx, approval_id);
}

const notAnother = () =>
  fail(
    'SECOND_PERSON_REQUIRED',
    'It takes another admin, who neither made it nor receives it, and whose account was there before',
  );

async function again(tx: Db, approval_id: string): Promise<VotedApproval> {
  const row = await findApproval(tx, undefined, approval_id);
  if (!row) throw new Error(`Approval ${approval_id} vanished`);
  return row;
}

async function conclude(
  deps: ApprovalDeps,
  tx: Db,
  found: VotedApproval,
  { is_approval, now }: Pick<Deciding, 'is_approval' | 'now'>,
): Promise<void> {
  if (!is_approval) return endWithout(deps, tx, found, { why: 'REJECTED', now });
  if (found.votes.length + 1 < found.needed) return touchApproval(tx, found);
  const ended = await endApproval(tx, found, 'APPROVED', now);
  await subjectOf(deps, found).approved(tx, ended);
}

const subjectOf = ({ subjects }: ApprovalDeps, { object_type }: Approval): ApprovalSubject => {
  const subject = subjects().find(({ object }) => object === object_type);
  if (!subject) throw new Error(`Nothing is known of ${object_type}`);
  return subject;
};

/** Ends an open one that is locked, and cancels its object. */
export async function endWithout(
  deps: ApprovalDeps,
  tx: Db,
  approval: Approval,
  { why, now }: { readonly why: EndedWithout; readonly now: Date },
): Promise<void> {
  const ended = await endApproval(tx, approval, why, now);
  await subjectOf(deps, approval).cancelled(tx, ended, why);
}
