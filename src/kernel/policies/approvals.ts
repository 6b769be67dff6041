import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/db.ts';
import { canonicalJson } from '../http/answer/canonical.ts';
import { newObjectUuid } from '../object-id.ts';
import {
  type Approval,
  type ApprovalStatus,
  changeApproval,
  deleteVotes,
  insertApproval,
  lockApprovalOf,
} from './approval-store.ts';
import type { PolicyObject, PolicyOperation } from './operation.ts';
import { APPROVER_ROLES, type PolicyRule } from './policy.ts';

/** What a feature does with its objects that wait for others, in the transaction that decides about them. */
export interface ApprovalSubject {
  /** Of its objects, as in `PolicyObject`. */
  readonly object: string;
  /** Enough people want it: it goes on. */
  approved(tx: Db, approval: Approval): Promise<void>;
  /** It was rejected, has expired, or its maker was stopped: what it holds is given back. */
  cancelled(tx: Db, approval: Approval, why: EndedWithout): Promise<void>;
}

export type EndedWithout = Exclude<ApprovalStatus, 'PENDING' | 'APPROVED'>;

/** What people approve: another content has another hash. */
const contentHashOf = ({ type, id, content }: Pick<PolicyObject, 'type' | 'id' | 'content'>) =>
  createHash('sha256').update(canonicalJson({ type, id, content })).digest('hex');

/** Asks others about an object, in the transaction that writes it. */
export function openApproval(
  { clock }: { readonly clock: Clock },
  tx: Db,
  rule: PolicyRule,
  operation: PolicyOperation & { readonly object: PolicyObject },
): Promise<Approval> {
  const { kind, client_id, user_id, object } = operation;
  const asked = 'approve' in rule.outcome ? rule.outcome.approve : { count: 1 };
  return insertApproval(tx, {
    approval_id: newObjectUuid(clock.ms()),
    client_id,
    kind,
    object_type: object.type,
    object_id: object.id,
    summary: object.summary,
    content: object.content,
    content_hash: contentHashOf(object),
    needed: asked.count,
    roles: asked.roles ?? APPROVER_ROLES,
    made_by: object.maker ?? user_id,
    receiver: object.receiver ?? null,
    policy_id: rule.policy_id,
  });
}

/** An object that waits was edited: what was said of it before counts no more. */
export async function changeApprovedContent(
  tx: Db,
  { type, id, summary, content }: PolicyObject,
): Promise<void> {
  const open = await lockApprovalOf(tx, { object_type: type, object_id: id });
  if (!open) return;
  await deleteVotes(tx, open.approval_id);
  const content_hash = contentHashOf({ type, id, content });
  // A text, since a list would be taken for an array of PostgreSQL's.
  await changeApproval(tx, open, { summary, content: JSON.stringify(content), content_hash });
}

/** An object that waits was called off by its owner: no decision about it is needed any more. */
export async function dropApproval(
  tx: Db,
  { type, id }: Pick<PolicyObject, 'type' | 'id'>,
  now: Date,
): Promise<void> {
  const open = await lockApprovalOf(tx, { object_type: type, object_id: id });
  if (open) await endApproval(tx, open, 'CANCELLED', now);
}

/** Ends one that is locked and open. */
export const endApproval = (
  tx: Db,
  approval: Approval,
  status: Exclude<ApprovalStatus, 'PENDING'>,
  now: Date,
): Promise<Approval> => changeApproval(tx, approval, { status, ended_at: now.toISOString() });
