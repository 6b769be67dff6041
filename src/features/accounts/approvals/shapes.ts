import { type Static, Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { explained, Nullable, oneOfWords, Timestamp } from '#kernel/http/declare/schema.ts';
import { objectId } from '#kernel/object-id.ts';
import { APPROVAL_STATUSES, type VotedApproval } from '#kernel/policies/approval-store.ts';
import { APPROVER_ROLES, POLICY_KINDS } from '#kernel/policies/policy.ts';

export const ShownApproval = named('Approval', {
  approval_id: objectIdField('apr'),
  client_id: Type.Integer(),
  kind: oneOfWords(POLICY_KINDS),
  object: explained(
    named('ApprovalObject', { type: Type.String(), id: Type.String() }),
    'What waits for it',
  ),
  summary: explained(Type.String(), 'What is approved, in one line'),
  content_hash: explained(
    Type.String(),
    'SHA-256 of the content: an approval names the one that was read',
  ),
  needed: explained(Type.Integer(), 'How many people have to approve it'),
  roles: explained(Type.Array(oneOfWords(APPROVER_ROLES)), 'Whose admins may approve it'),
  made_by: Type.Integer(),
  policy_id: objectIdField('pol'),
  approvals: Type.Array(named('ApprovalVote', { by: Type.Integer(), at: Timestamp })),
  status: oneOfWords(APPROVAL_STATUSES),
  version: Type.Integer(),
  created_at: Timestamp,
  expires_at: Timestamp,
  ended_at: Nullable(Timestamp),
});

/** As it stands now: one without a decision in time is EXPIRED. */
export const approvalStatusOf = (
  { status, expires_at }: Pick<VotedApproval, 'status' | 'expires_at'>,
  now: Date,
) => (status === 'PENDING' && expires_at <= now.toISOString() ? 'EXPIRED' : status);

/** An approval as it is answered. */
export const shownApproval = (row: VotedApproval, now: Date): Static<typeof ShownApproval> => ({
  approval_id: objectId('apr', row.approval_id),
  client_id: row.client_id,
  kind: row.kind,
  object: { type: row.object_type, id: row.object_id },
  summary: row.summary,
  content_hash: row.content_hash,
  needed: row.needed,
  roles: [...row.roles],
  made_by: row.made_by,
  policy_id: objectId('pol', row.policy_id),
  approvals: [...row.votes],
  status: approvalStatusOf(row, now),
  version: row.version,
  created_at: row.created_at,
  expires_at: row.expires_at,
  ended_at: row.ended_at,
});
