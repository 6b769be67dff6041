import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  Nullable,
  oneOfWords,
  stamped,
  Timestamp,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import { transact } from '#kernel/transact.ts';
import type { ConnectedAppDeps } from './deps.ts';
import { shownPlace } from './redirects.ts';
import { APP_SCOPES } from './scopes.ts';
import { findOpenGrant, type ListedGrant, listGrants } from './store.ts';
import { endGrant } from './tokens.ts';

const endpoint = endpoints(codedEnvelope);
const LISTED_MAX = 100;

const Grant = named('AppGrant', {
  grant_id: Uuid,
  app_id: explained(Type.String(), 'The `client_id` of the program'),
  name: explained(Type.String(), 'As the program calls itself'),
  place: explained(Type.String(), 'Where the person went on to'),
  scopes: Type.Array(oneOfWords(APP_SCOPES)),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  expires_at: Timestamp,
});

/** People see which apps they have let in, and end that. */
export const appGrantRoutes = (deps: ConnectedAppDeps): Route[] => [
  endpoint('GET /oauth/grants', {
    name: 'oauth.listGrants',
    auth: 'user',
    summary: "The caller's connected apps, newest first, at most 100",
    reply: { 200: stamped({ data: Type.Object({ items: Type.Array(Grant) }) }) },
    fault: 'Failed to list apps',
    async handler({ caller, db }) {
      const rows = await listGrants(db, caller.user_id, LISTED_MAX);
      return { data: { items: rows.map(shown) } };
    },
  }),

  endpoint('DELETE /oauth/grants/{grant_id}', {
    name: 'oauth.endGrant',
    auth: 'user',
    errors: ['NOT_FOUND'],
    summary: 'Ends the access of a connected app; its tokens are refused at once',
    params: Type.Object({ grant_id: Uuid }),
    reply: { 200: stamped({ data: Type.Object({ grant_id: Uuid }) }) },
    fault: 'Failed to end the access',
    async handler({ caller, params, request, db }) {
      const grant_id = params.grant_id.toLowerCase();
      await transact(db, async (tx) => {
        const grant = await findOpenGrant(tx, caller.user_id, grant_id);
        if (!grant) throw fail('NOT_FOUND', 'Connected app not found');
        await endGrant(deps, tx, grant_id);
        const details = { ...grant, by: 'user' };
        await logActivity(tx, { action: 'APP_ENDED', actor: caller, details, request });
      });
      return { data: { grant_id } };
    },
  }),
];

const shown = ({ grant_id, app_id, name, scopes, redirect_uri, ...row }: ListedGrant) => ({
  grant_id,
  app_id,
  name,
  place: shownPlace(redirect_uri),
  scopes,
  created_at: row.created_at,
  last_used_at: row.last_used,
  expires_at: row.expires_at,
});
