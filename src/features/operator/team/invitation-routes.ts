import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { PROOF } from '#kernel/access/fresh-proof.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, type Route } from '#kernel/http/declare/route.ts';
import { Email, explained, Name, oneOfWords, stamped, text } from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { TEAM_ROLES } from '#kernel/http/declare/team-mark.ts';
import { objectId } from '#kernel/object-id.ts';
import { acceptByLink } from './accept.ts';
import type { TeamDeps } from './deps.ts';
import { ShownInvitation, ShownMember, shownInvitation, shownMember } from './events.ts';
import { invite, takeBack } from './invite.ts';
import { JOINED, MEMBER_PASSWORD_MIN } from './password-rule.ts';
import { proven } from './proven.ts';

const endpoint = endpoints(codedEnvelope);

/** How somebody gets into a team: by a link to their address, once. */
export const invitationRoutes = (deps: TeamDeps): Route[] => [
  inviteRoute(deps),
  revokeRoute(),
  acceptRoute(deps),
];

const inviteRoute = (deps: TeamDeps): Route =>
  endpoint('POST /team/invitations', {
    name: 'team.invite',
    auth: 'admin',
    proof: true,
    errors: [
      ...(['EMAIL_EXISTS', 'LIMIT_EXCEEDED', 'INVALID_PASSWORD', 'INVALID_CODE'] as const),
      'FRESH_LOGIN_REQUIRED',
    ],
    summary: 'Mails a link by which the owner of an address joins the team, once, within 72 hours',
    body: named('NewTeamInvitation', {
      email: Email,
      team_role: oneOfWords(TEAM_ROLES),
      ...PROOF,
    }),
    reply: { 201: stamped({ data: ShownInvitation }) },
    fault: 'Failed to invite',
    async handler({ caller, body, request }) {
      const { email, team_role, ...sent } = body;
      const act = { caller, request };
      const wish = { email, team_role };
      const row = await proven(deps, act, sent, (tx) => invite(deps, tx, wish, act));
      return at(201, { data: shownInvitation(row) });
    },
  });

const revokeRoute = (): Route =>
  endpoint('DELETE /team/invitations/{invitation_id}', {
    name: 'team.revokeInvitation',
    auth: 'admin',
    errors: ['NOT_FOUND'],
    summary: 'Takes an invitation back: its link does not work any more',
    params: Type.Object({ invitation_id: objectIdInput('tin') }),
    reply: { 200: stamped({ data: ShownInvitation }) },
    atomic: true,
    fault: 'Failed to take the invitation back',
    async handler({ caller, params, request, db }) {
      const { invitation_id } = params;
      const [row] = await takeBack(db, caller.client_id, { invitation_id });
      if (!row) throw fail('NOT_FOUND', 'Invitation not found');
      const details = { email: row.email, invitation_id: objectId('tin', invitation_id) };
      await logActivity(db, {
        action: 'TEAM_INVITATION_REVOKED',
        actor: caller,
        details,
        request,
      });
      return { data: shownInvitation(row) };
    },
  });

const acceptRoute = (deps: TeamDeps): Route =>
  endpoint('POST /team/invitations/accept', {
    name: 'team.accept',
    auth: 'public',
    errors: ['INVALID_TOKEN', 'EMAIL_EXISTS'],
    summary: 'Joins a team by the token of the mailed link, which works once',
    body: named('TeamAcceptance', {
      token: secret(text(200)),
      username: Name,
      password: secret(text(1024, MEMBER_PASSWORD_MIN)),
      language: Type.Optional(explained(oneOfWords(['en', 'id']), 'Of `message`')),
    }),
    reply: { 201: stamped({ message: Type.String(), data: ShownMember }) },
    fault: 'Failed to join the team',
    async handler({ body, request }) {
      const { language = 'en', ...acceptance } = body;
      const member = await acceptByLink(deps, acceptance, request);
      return at(201, { message: JOINED[language], data: shownMember(member) });
    },
  });
