import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, Id, IdInput, Timestamp, text } from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { newLink } from './accounts.ts';
import { emitUser } from './events.ts';
import { takeLink } from './link-store.ts';
import { acceptTos } from './store.ts';

export type UserLinkDeps = Pick<Kernel, 'clock' | 'config' | 'publicUrl'>;

const endpoint = endpoints(errorEnvelope);

/** Decisions: Smaller points, log-in. */
const TOS_TTL_MS = 24 * 3600 * 1000;

/** Contract: Users, the acceptance of the terms. */
export const linkRoutes = (deps: UserLinkDeps): Route[] => [
  endpoint('GET /users/{user_id}/tos-acceptance-link', {
    name: 'users.getTermsLink',
    team: 'people:write',
    auth: 'user',
    errors: ['USER_NOT_FOUND'],
    summary: 'A 24-hour link to the page on which a user accepts the terms of service',
    params: Type.Object({ user_id: IdInput }),
    invalid: 'Invalid user ID',
    reply: { 200: Type.Object({ message: Type.String(), link: secret(Type.String()) }) },
    fault: 'Failed to create the TOS acceptance link',
    async handler({ caller, params, db }) {
      const { user_id, email } = await requireUser(db, tenantScopeOf(caller), params.user_id);
      const expires_at = new Date(deps.clock.now().getTime() + TOS_TTL_MS);
      const token = await newLink(db, { user_id, purpose: 'tos', expires_at });
      const query = new URLSearchParams({ user_id: String(user_id), email, token });
      return {
        message: 'TOS acceptance link generated successfully',
        link: `${deps.publicUrl()}/accept-tos?${query}`,
      };
    },
  }),

  endpoint('POST /users/{user_id}/accept-tos', {
    name: 'users.acceptTerms',
    auth: 'public',
    errors: ['CONFLICT', 'INVALID_TOKEN', 'LINK_EXPIRED'],
    summary: 'Accepts the terms of service with the token of the link, which works once',
    params: Type.Object({ user_id: IdInput }),
    body: Type.Object({
      token: text(200),
      tos_version: Type.Optional(
        explained(text(40), 'The version that the user has seen; without it the one in force'),
      ),
    }),
    invalid: 'Invalid token or user ID',
    reply: {
      200: Type.Object({ message: Type.String(), user_id: Id, tos_accepted_at: Timestamp }),
    },
    atomic: true,
    fault: 'Failed to accept the TOS',
    async handler({ params, body, request, db }) {
      const { clock } = deps;
      const { user_id } = params;
      const { TOS_VERSION = null } = deps.config;
      if (body.tos_version !== undefined && body.tos_version !== TOS_VERSION)
        throw fail('CONFLICT', 'The terms have changed meanwhile', {
          hint: 'Open the page again: it leads to those in force.',
        });
      const link = await takeLink(db, { digest: digestOf(body.token), purpose: 'tos', user_id });
      if (!link) throw fail('INVALID_TOKEN', 'Invalid token or user ID');
      if (new Date(link.expires_at) <= clock.now()) throw fail('LINK_EXPIRED', 'Token has expired');
      const { client_id, tos_accepted_at } = await acceptTos(db, user_id, clock.now(), TOS_VERSION);
      const subject = { client_id, subject_user_id: user_id, request };
      await emitUser(db, 'updated', user_id);
      await logActivity(db, { action: 'USER_ACCEPT_TOS', actor: null, ...subject });
      if (tos_accepted_at === null) throw new Error('The acceptance was not stored');
      return { message: 'Terms of Service accepted successfully', user_id, tos_accepted_at };
    },
  }),
];
