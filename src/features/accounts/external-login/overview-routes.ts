import { Type } from 'typebox';
import { clientScopeOf, requireUser } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { IdInput } from '#kernel/http/declare/schema.ts';
import { type HealthDeps, healthCheck } from './health.ts';
import { invalidRequest } from './prove.ts';
import { HealthReply, ProfileQuery, ProfileReply, StatisticsReply } from './schemas.ts';
import { countMappings } from './statistics-store.ts';
import { listMappings, type Mapping } from './store.ts';
import { type Target, targetOf } from './target.ts';

const endpoint = endpoints(codedEnvelope);

/** Overview: the caller's methods, the health of the area (which lists `others` too), and counts. */
export function overviewRoutes(deps: HealthDeps, others: readonly Route[]): Route[] {
  const routes: Route[] = [...profileRoutes(), statisticsRoute(deps)];
  const check = healthCheck(deps);
  const health = endpoint('GET /extauth/health', {
    name: 'externalLogin.health',
    auth: 'user',
    errors: ['HEALTH_CHECK_FAILED'],
    summary: 'Whether the external log-in is configured and its provider answers.',
    reply: { 200: HealthReply },
    fault: 'Health check failed',
    async handler({ db }) {
      const data = await check(db, ids);
      return { message: `External login is ${data.status}`, data };
    },
  });
  const ids = [...others, ...routes, health].map(({ id }): string => id);
  return [...routes, health];
}

const profileRoutes = (): Route[] => [
  endpoint('GET /extauth/auth/profile', {
    name: 'externalLogin.getProfile',
    auth: 'user',
    errors: ['USER_NOT_FOUND', 'MISSING_USER_ID'],
    summary: "The caller's external log-in methods; an admin may name a user of theirs.",
    query: ProfileQuery,
    reply: { 200: ProfileReply },
    invalid: invalidRequest,
    fault: 'Failed to read the profile',
    handler: ({ caller, query, db }) => readProfile(db, targetOf(caller, query.user_id)),
  }),

  // The contract's letter is A, and its error "for non-admin reading another user": the caller's own is free.
  endpoint('GET /extauth/auth/profile/{user_id}', {
    name: 'externalLogin.getUserProfile',
    team: 'people:read',
    auth: 'user',
    errors: ['USER_NOT_FOUND', 'MISSING_USER_ID'],
    summary: "A user's external log-in methods: the caller's own, or for admins one of theirs.",
    params: Type.Object({ user_id: IdInput }),
    reply: { 200: ProfileReply },
    invalid: invalidRequest,
    fault: 'Failed to read the profile',
    handler: ({ caller, params, db }) => readProfile(db, targetOf(caller, params.user_id)),
  }),
];

async function readProfile(db: Db, { user_id, reach }: Target) {
  await requireUser(db, reach, user_id);
  const mappings = await listMappings(db, user_id);
  const primary = mappings.find(({ is_primary }) => is_primary);
  const accounts = new Set(mappings.map(({ ext_user_id }) => ext_user_id));
  return {
    message: 'Profile retrieved successfully',
    data: {
      user_id,
      total_connected_accounts: mappings.length,
      connected_accounts: mappings.map(connected),
      primary_auth: primary
        ? { provider: primary.auth_provider, connected_at: primary.connected_at }
        : null,
    },
    security_info: {
      has_multiple_methods: mappings.length > 1,
      // A wallet goes with its account, so only a second account makes one of them removable.
      can_remove_accounts: accounts.size > 1,
    },
  };
}

const connected = ({ operation: _, user_id: __, ...mapping }: Mapping) => ({
  ...mapping,
  provider: mapping.auth_provider,
  status: mapping.is_primary ? ('primary' as const) : ('secondary' as const),
});

const statisticsRoute = ({ clock, log }: Pick<HealthDeps, 'clock' | 'log'>): Route =>
  endpoint('GET /extauth/stats', {
    name: 'externalLogin.stats',
    team: 'people:read',
    auth: 'admin',
    errors: ['STATS_ERROR'],
    summary: "Counts of the external log-ins of the caller's client; the operator's cover all.",
    reply: { 200: StatisticsReply },
    fault: 'Failed to count the external log-ins',
    async handler({ caller, db }) {
      const at = clock.now();
      try {
        const data = await countMappings(db, clientScopeOf(caller), at);
        const message = 'Statistics retrieved successfully';
        return { message, data, generated_at: at.toISOString() };
      } catch (err) {
        log.error({ err }, 'external log-ins cannot be counted');
        throw fail('STATS_ERROR', 'Failed to count the external log-ins');
      }
    },
  });
