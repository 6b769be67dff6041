import { isUserEmailTaken } from '#features/accounts/users/users.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { TeamRole } from '#kernel/http/declare/team-mark.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { newToken } from '#kernel/secrets/token.ts';
import type { TeamDeps } from './deps.ts';
import { invitationEvents } from './events.ts';
import { invitationMail } from './mails.ts';
import { requireOwner } from './require-owner.ts';
import {
  countMembers,
  type Invitation,
  insertInvitation,
  listInvitations,
  revokeInvitations,
} from './store.ts';

const LIVES_HOURS = 72;
export const JOIN_PAGE = '/join-team';
/** People and open invitations of one team. */
export const TEAM_MAX = 500;

export interface TeamAct {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

interface Wish {
  readonly email: string;
  readonly team_role: TeamRole;
}

/**
 * Mails a link by which the owner of that address joins the caller's team. An earlier link to the address stops
 * working. Throws EMAIL_EXISTS where the client has a user of that address, and LIMIT_EXCEEDED for a full team.
 */
export async function invite(
  deps: TeamDeps,
  tx: Db,
  { email, team_role }: Wish,
  { caller, request }: TeamAct,
): Promise<Invitation> {
  const { client_id, user_id } = caller;
  await requireOwner(tx, caller);
  if (await isUserEmailTaken(tx, { client_id, user_id: 0 }, email))
    throw fail('EMAIL_EXISTS', 'The organisation has a user with this address already');
  await takeBack(tx, client_id, { email });
  const open = (await listInvitations(tx, client_id, TEAM_MAX)).length;
  if (open + (await countMembers(tx, client_id)) >= TEAM_MAX)
    throw fail('LIMIT_EXCEEDED', `A team has at most ${TEAM_MAX} people and invitations`);
  const at = deps.clock.now();
  const { token, digest } = newToken();
  const row = await insertInvitation(tx, {
    invitation_id: newObjectUuid(at.getTime()),
    client_id,
    email,
    team_role,
    invited_by: user_id,
    token_digest: digest,
    at,
    expires: new Date(at.getTime() + LIVES_HOURS * 3600_000),
  });
  const link = `${deps.publicUrl()}${JOIN_PAGE}?token=${token}`;
  const mail = invitationMail({ email, team_role, link, hours: LIVES_HOURS });
  if ((await deps.messages.send(tx, requesterOf(caller, request), mail)) === undefined)
    throw fail('RATE_LIMITED', 'Too many invitations for now');
  invitationEvents.emit(tx, 'created', row);
  const details = { email, team_role, invitation_id: objectId('tin', row.invitation_id) };
  await logActivity(tx, { action: 'TEAM_INVITED', actor: caller, details, request });
  return row;
}

/** Makes open invitations of a client worth nothing; answers them. */
export async function takeBack(
  tx: Db,
  client_id: number,
  meant: Parameters<typeof revokeInvitations>[2],
): Promise<Invitation[]> {
  const rows = await revokeInvitations(tx, client_id, meant);
  for (const row of rows) invitationEvents.emit(tx, 'revoked', row);
  return rows;
}
