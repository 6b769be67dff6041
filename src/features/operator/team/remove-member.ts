import { Type } from 'typebox';
import { endKeysOf, keepKeysOf, keysOf } from '#features/accounts/keys/keys.ts';
import { endMembership } from '#features/accounts/users/users.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import {
  endpointsOf,
  pauseEndpointsOf,
  takeOverEndpointsOf,
} from '#features/messaging/webhooks/webhooks.ts';
import { voidProposalsOf } from '#features/operator/adjustments/adjustments.ts';
import { OUTSTANDING, voidProposedChanges } from '#features/operator/suspensions/suspensions.ts';
import type { Db } from '#kernel/db/db.ts';
import { named } from '#kernel/http/declare/named.ts';
import { explained, Id, oneOfWords } from '#kernel/http/declare/schema.ts';
import { withdrawVotesOf } from '#kernel/policies/approval-store.ts';
import { endLogIns, requireMember } from './change-role.ts';
import type { TeamDeps } from './deps.ts';
import { memberEvents } from './events.ts';
import { type TeamAct, takeBack } from './invite.ts';
import { mailTeamOwners } from './mails.ts';
import { requireOwnerOver } from './require-owner.ts';
import type { TeamMember } from './store.ts';

/** What becomes of the keys and endpoints of a person who goes. */
export const KEEP_OR_STOP = ['keep', 'stop'] as const;
type KeepOrStop = (typeof KEEP_OR_STOP)[number];

export const RemovedMember = named('RemovedTeamMember', {
  user_id: Id,
  keys: explained(
    OUTSTANDING.keys,
    'Keys that they had made: ended, or kept with no more than the role that their maker had',
  ),
  keys_are: oneOfWords(KEEP_OR_STOP),
  webhook_endpoints: explained(
    OUTSTANDING.webhook_endpoints,
    'Endpoints that they had made: paused, or kept as they are',
  ),
  endpoints_are: oneOfWords(KEEP_OR_STOP),
  orders_voided: OUTSTANDING.orders_voided,
  proposals_voided: OUTSTANDING.proposals_voided,
  invitations_revoked: explained(Type.Integer(), 'Open invitations of theirs'),
});

interface Removal {
  readonly user_id: number;
  readonly keys: KeepOrStop;
  readonly endpoints: KeepOrStop;
}

/**
 * Takes somebody out of the team: they stay a user without any say. What they had asked for and is not done is void.
 * Throws FORBIDDEN and USER_NOT_FOUND.
 */
export async function removeMember(deps: TeamDeps, tx: Db, removal: Removal, act: TeamAct) {
  const { user_id } = removal;
  const { caller, request } = act;
  await requireOwnerOver(tx, caller, user_id);
  const member = await requireMember(tx, caller.client_id, user_id);
  const voided = await voidAll(deps, tx, user_id, act);
  const left = await keepOrStop(deps, tx, { ...removal, member }, act);
  await endMembership(tx, user_id);
  await endLogIns(deps, tx, user_id);
  memberEvents.emit(tx, 'removed', member);
  await logActivity(tx, {
    action: 'TEAM_MEMBER_REMOVED',
    actor: caller,
    subject_user_id: user_id,
    details: { team_role: member.team_role, keys: removal.keys, endpoints: removal.endpoints },
    request,
  });
  const { username, client_id } = member;
  const what = { en: 'is not in it any more', id: 'sudah bukan anggota tim' };
  await mailTeamOwners(deps, tx, { client_id, by: caller.user_id, user_id, username, what });
  return { user_id, ...left, ...voided };
}

async function voidAll(deps: TeamDeps, tx: Db, user_id: number, by: TeamAct) {
  const orders_voided = await voidProposedChanges(deps, tx, { user_id }, by);
  await deps.approvals.cancelApprovals(tx, { user_id });
  await withdrawVotesOf(tx, user_id);
  const now = deps.clock.now();
  const proposals_voided = await voidProposalsOf(tx, user_id, { ...by, now });
  const revoked = await takeBack(tx, by.caller.client_id, { invited_by: user_id });
  return { orders_voided, proposals_voided, invitations_revoked: revoked.length };
}

async function keepOrStop(
  deps: TeamDeps,
  tx: Db,
  { user_id, keys: keys_are, endpoints: endpoints_are, member }: Removal & { member: TeamMember },
  by: TeamAct,
) {
  const keys = await keysOf(tx, user_id, deps.clock.now());
  const heir = { user_id: by.caller.user_id, team_role: member.team_role };
  if (keys_are === 'stop') await endKeysOf(deps, tx, user_id);
  else await keepKeysOf(deps, tx, user_id, heir);
  if (endpoints_are === 'stop') await pauseEndpointsOf(deps, tx, user_id, by);
  const webhook_endpoints = await endpointsOf(tx, user_id);
  await takeOverEndpointsOf(tx, user_id, by.caller.user_id);
  return { keys, keys_are, webhook_endpoints, endpoints_are };
}
