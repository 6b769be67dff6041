import { type Static, Type } from 'typebox';
import { defineObject } from '#kernel/events/define-object.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { explained, Id, Nullable, oneOfWords, Timestamp } from '#kernel/http/declare/schema.ts';
import { TEAM_ROLES } from '#kernel/http/declare/team-mark.ts';
import { objectId } from '#kernel/object-id.ts';
import type { Invitation, TeamMember } from './store.ts';

export const ShownMember = named('TeamMember', {
  user_id: Id,
  client_id: Id,
  username: Type.String(),
  email: Type.String(),
  team_role: oneOfWords(TEAM_ROLES),
  user_status: Type.String(),
  second_factor: Type.Boolean(),
  role_since: explained(
    Nullable(Timestamp),
    'When somebody gave them the role; null of an admin from before there were roles',
  ),
  approves_from: explained(
    Nullable(Timestamp),
    'When their approvals begin to count, a day after they got the role and with a second factor alone; null where they count, or never do',
  ),
});

export const ShownInvitation = named('TeamInvitation', {
  invitation_id: objectIdField('tin'),
  email: Type.String(),
  team_role: oneOfWords(TEAM_ROLES),
  invited_by: Id,
  created_at: Timestamp,
  expires_at: explained(Timestamp, 'Until when the link works'),
  accepted_by: Nullable(Id),
});

const DAY_MS = 24 * 3600_000;

/** What colleagues see of a member. */
export function shownMember(row: TeamMember): Static<typeof ShownMember> {
  const { user_id, client_id, username, email, team_role, user_status, second_factor } = row;
  const isApprover = team_role === 'owner' || team_role === 'finance';
  const from = Date.parse(row.team_since ?? '') + DAY_MS;
  return {
    user_id,
    client_id,
    username,
    email,
    team_role,
    user_status,
    second_factor,
    role_since: row.team_since,
    approves_from: isApprover && row.team_since !== null ? new Date(from).toISOString() : null,
  };
}

export const shownInvitation = (row: Invitation): Static<typeof ShownInvitation> => ({
  invitation_id: objectId('tin', row.invitation_id),
  email: row.email,
  team_role: row.team_role,
  invited_by: row.invited_by,
  created_at: row.created_at,
  expires_at: row.expires_at,
  accepted_by: row.accepted_by,
});

const member = defineObject({
  schema: ShownMember,
  since: '2026-11',
  example: {
    user_id: 12,
    client_id: 2,
    username: 'Ratna',
    email: 'ratna@demo.example',
    team_role: 'finance',
    user_status: 'ACTIVE',
    second_factor: true,
    role_since: '2026-11-22T03:00:58.447Z',
    approves_from: '2026-11-23T03:00:58.447Z',
  },
  key: ({ client_id, user_id }: TeamMember) => ({ client_id, user_id, id: user_id }),
  show: shownMember,
});

const invitation = defineObject({
  schema: ShownInvitation,
  since: '2026-11',
  example: {
    invitation_id: objectId('tin', '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e31'),
    email: 'ratna@demo.example',
    team_role: 'finance',
    invited_by: 2,
    created_at: '2026-11-22T03:00:58.447Z',
    expires_at: '2026-11-25T03:00:58.447Z',
    accepted_by: null,
  },
  key: ({ client_id, invited_by, invitation_id }: Invitation) => ({
    client_id,
    user_id: invited_by,
    id: objectId('tin', invitation_id),
  }),
  show: shownInvitation,
});

export const memberEvents = member.events('team_member', {
  joined: 'Somebody has accepted an invitation, and is in the team of a client',
  role_changed: 'An owner has given another role to somebody of the team; their log-ins have ended',
  removed: 'Somebody is not in the team any more; what they had asked for and is not done is void',
});

export const invitationEvents = invitation.events('team_invitation', {
  created: 'An owner has invited an address to the team',
  accepted: 'The person behind the address is in the team',
  revoked: 'The link does not work any more: it was taken back, or another one was sent',
});

export const TEAM_EVENTS = [...memberEvents.types, ...invitationEvents.types];
