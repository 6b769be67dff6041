import { forgetChallenges } from '#features/accounts/two-factor/two-factor.ts';
import { setTeamRole } from '#features/accounts/users/users.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { TeamRole } from '#kernel/http/declare/team-mark.ts';
import { withdrawVotesOf } from '#kernel/policies/approval-store.ts';
import type { TeamDeps } from './deps.ts';
import { memberEvents } from './events.ts';
import type { TeamAct } from './invite.ts';
import { mailTeamOwners } from './mails.ts';
import { requireOwnerOver } from './require-owner.ts';
import { findMember, type TeamMember } from './store.ts';
import { ROLE_WORDS } from './texts.ts';

/**
 * Gives a colleague another role. Ends their log-ins, and takes back their approvals of what still waits where they
 * approve no more. Throws FORBIDDEN and USER_NOT_FOUND.
 */
export async function changeTeamRole(
  deps: TeamDeps,
  tx: Db,
  { user_id, team_role }: { readonly user_id: number; readonly team_role: TeamRole },
  { caller, request }: TeamAct,
): Promise<TeamMember> {
  await requireOwnerOver(tx, caller, user_id);
  const { client_id } = caller;
  const before = await requireMember(tx, client_id, user_id);
  if (before.team_role === team_role) return before;
  await setTeamRole(tx, user_id, { team_role, at: deps.clock.now() });
  await withdrawVotesOf(tx, user_id);
  await endLogIns(deps, tx, user_id);
  const member = await requireMember(tx, client_id, user_id);
  memberEvents.emit(tx, 'role_changed', member);
  await logActivity(tx, {
    action: 'TEAM_ROLE_CHANGED',
    actor: caller,
    subject_user_id: user_id,
    details: { from: before.team_role, to: team_role },
    request,
  });
  const what = {
    en: `is ${ROLE_WORDS.en[team_role]} now and was ${ROLE_WORDS.en[before.team_role]}`,
    id: `sekarang ${ROLE_WORDS.id[team_role]}, sebelumnya ${ROLE_WORDS.id[before.team_role]}`,
  };
  const { username } = member;
  await mailTeamOwners(deps, tx, { client_id, by: caller.user_id, user_id, username, what });
  return member;
}

export async function requireMember(
  tx: Db,
  client_id: number,
  user_id: number,
): Promise<TeamMember> {
  const found = await findMember(tx, client_id, user_id);
  if (!found) throw fail('USER_NOT_FOUND', 'User not found');
  return found;
}

/** Sessions, and log-ins that wait for a code. */
export async function endLogIns(
  { sessions, credentials }: TeamDeps,
  tx: Db,
  user_id: number,
): Promise<void> {
  await sessions.revokeOthers(tx, user_id);
  await forgetChallenges(tx, user_id);
  credentials.forget('user', user_id);
}
