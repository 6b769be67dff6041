import { Type } from 'typebox';
import { PROOF } from '#kernel/access/fresh-proof.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { LIST_MAX, listQuery, pageOf } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { explained, IdInput, oneOfWords, stamped } from '#kernel/http/declare/schema.ts';
import { TEAM_ROLES } from '#kernel/http/declare/team-mark.ts';
import { changeTeamRole } from './change-role.ts';
import type { TeamDeps } from './deps.ts';
import { ShownInvitation, ShownMember, shownInvitation, shownMember } from './events.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { TEAM_MAX } from './invite.ts';
import { proven } from './proven.ts';
import { KEEP_OR_STOP, RemovedMember, removeMember } from './remove-member.ts';
import { listInvitations, listMembers } from './store.ts';

const endpoint = endpoints(codedEnvelope);

/** The people of one's own client who have a say in it. */
export const teamRoutes = (deps: TeamDeps): Route[] => [
  listRoute(),
  ...invitationRoutes(deps),
  roleRoute(deps),
  removeRoute(deps),
];

const params = Type.Object({ user_id: IdInput });

const listRoute = (): Route =>
  endpoint('GET /team', {
    name: 'team.list',
    auth: 'admin',
    summary:
      "Lists the admins of the caller's own client, newest first, and the invitations that are open; the next page is `before` the last",
    query: Type.Object(listQuery),
    reply: {
      200: stamped({
        data: Type.Object({
          members: Type.Array(ShownMember),
          invitations: Type.Array(ShownInvitation),
        }),
      }),
    },
    fault: 'Failed to list the team',
    async handler({ caller, query, db }) {
      const { client_id } = caller;
      const { limit = LIST_MAX, before } = query;
      const found = await listMembers(db, client_id, { limit: limit + 1, before });
      const { rows, next_before } = pageOf(found, limit, ({ user_id }) => user_id);
      const invitations = await listInvitations(db, client_id, TEAM_MAX);
      const members = rows.map(shownMember);
      return new Paged(
        { data: { members, invitations: invitations.map(shownInvitation) } },
        next_before,
      );
    },
  });

const roleRoute = (deps: TeamDeps): Route =>
  endpoint('PATCH /team/{user_id}', {
    name: 'team.setRole',
    auth: 'admin',
    proof: true,
    errors: ['USER_NOT_FOUND', 'INVALID_PASSWORD', 'INVALID_CODE', 'FRESH_LOGIN_REQUIRED'],
    summary: 'Gives somebody of the team another role, which ends their log-ins',
    params,
    body: named('TeamRoleChange', { team_role: oneOfWords(TEAM_ROLES), ...PROOF }),
    reply: { 200: stamped({ data: ShownMember }) },
    fault: 'Failed to change the role',
    async handler({ caller, params, body, request }) {
      const { team_role, ...sent } = body;
      const act = { caller, request };
      const wish = { user_id: params.user_id, team_role };
      const member = await proven(deps, act, sent, (tx) => changeTeamRole(deps, tx, wish, act));
      deps.credentials.forget('user', params.user_id);
      return { data: shownMember(member) };
    },
  });

const removeRoute = (deps: TeamDeps): Route =>
  endpoint('DELETE /team/{user_id}', {
    name: 'team.remove',
    auth: 'admin',
    proof: true,
    errors: ['USER_NOT_FOUND', 'FRESH_LOGIN_REQUIRED'],
    summary: 'Takes somebody out of the team; what they had asked for and is not done is void',
    params,
    query: Type.Object({
      keys: explained(
        oneOfWords(KEEP_OR_STOP),
        'Whether the keys that they have made go on working',
      ),
      endpoints: explained(
        oneOfWords(KEEP_OR_STOP),
        'Whether the webhook endpoints that they have made go on',
      ),
    }),
    reply: { 200: stamped({ data: RemovedMember }) },
    fault: 'Failed to remove them',
    async handler({ caller, params, query, request }) {
      const act = { caller, request };
      const removal = { user_id: params.user_id, ...query };
      const data = await proven(deps, act, {}, (tx) => removeMember(deps, tx, removal, act));
      deps.credentials.forget('user', params.user_id);
      return { data };
    },
  });
