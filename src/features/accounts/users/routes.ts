import { Type } from 'typebox';
import type { PspCustomers } from '#features/accounts/psp-customers/psp-customers.ts';
import { NOT_SUBMITTED, recordVerification } from '#features/accounts/verification/verification.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import {
  clientScopeOf,
  lockUserInScope,
  tenantScopeOf,
  tenantScopeOfKey,
} from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { ApiKey } from '#kernel/http/declare/api-key.ts';
import {
  codedEnvelope,
  type Envelope,
  errorEnvelope,
  flatEnvelope,
} from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { LIST_MAX, listQuery, pageOf } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  CountryInput,
  explained,
  flat,
  Id,
  IdInput,
  MessageField,
  MomentInput,
  oneOfWords,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { SHOWN_BALANCE } from '#kernel/money/shown-balance.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { activate } from './activate.ts';
import { linkRoutes, type UserLinkDeps } from './link-routes.ts';
import { shownUser, User } from './presenters.ts';
import { type ProfileDeps, profileRoutes } from './profile-routes.ts';
import { findUser, listCountries, listUsers, type UserPage } from './store.ts';
import { totalsOf } from './totals.ts';

export type UserDeps = ProfileDeps &
  UserLinkDeps &
  Pick<Kernel, 'sessions' | 'credentials'> & {
    readonly pspCustomers: PspCustomers;
    readonly fx: ExchangeRates;
  };

/** Errors are plain; some successes of this area show `success` or `timestamp` all the same. */
const family: Envelope = { ...errorEnvelope, success: codedEnvelope.success };
const endpoint = endpoints(family);
/** The one endpoint here whose success has `success`, so its errors have it, too. */
const flaggedEndpoint = endpoints({ ...family, error: flatEnvelope.error });

const Listed = named('ListedUser', {
  user_id: Id,
  email: Type.String(),
  username: Type.String(),
  client_id: Id,
  user_status: Type.String(),
  ekyc_status: Type.String(),
  transactions_count: Type.Integer(),
  total_volume: Type.String(),
  total_balance: Type.String(),
  ...SHOWN_BALANCE,
  unconverted: Type.Optional(
    explained(
      Type.Array(Type.String()),
      'Currencies that the sums lack, where no rate is known at the moment',
    ),
  ),
});
const Country = named('Country', { country_code: Type.String(), country_name: Type.String() });

/** Contract: Users. */
export const userRoutes = (deps: UserDeps): Route[] => [
  flaggedEndpoint('GET /users/{user_id}', {
    name: 'users.get',
    auth: 'user',
    errors: ['USER_NOT_FOUND'],
    summary: 'A user with client and verification',
    params: Type.Object({ user_id: IdInput }),
    invalid: 'Invalid user ID',
    reply: { 200: flat({ data: User }) },
    fault: 'Failed to read the user',
    async handler({ caller, params, db }) {
      const user = await findUser(db, tenantScopeOf(caller), params.user_id);
      if (!user) throw fail('USER_NOT_FOUND', 'User not found');
      return { data: shownUser(user) };
    },
  }),

  endpoint('GET /users/users', {
    name: 'users.list',
    auth: 'admin',
    history: true,
    summary: 'Users with their volumes and balances, newest first',
    query: Type.Object({
      client_id: Type.Optional(IdInput),
      ...listQuery,
    }),
    reply: { 200: Type.Array(Listed) },
    fault: 'Failed to list users',
    async handler({ caller, query, db }) {
      const own = clientScopeOf(caller);
      const { client_id = own, limit = LIST_MAX, before } = query;
      if (own !== undefined && client_id !== own) return [];
      return usersWithTotals(db, deps.fx, { client_id, limit, before });
    },
  }),

  endpoint('GET /users/countries', {
    name: 'users.listCountries',
    team: 'own:read',
    auth: 'user',
    summary: 'The countries that a payment service provider serves',
    reply: { 200: Type.Object({ countries: Type.Array(Country) }) },
    fault: 'Failed to list countries',
    handler: async ({ db }) => ({ countries: await listCountries(db) }),
  }),

  endpoint('POST /users/logout', {
    name: 'users.logOut',
    team: 'own:write',
    auth: 'user',
    setUp: true,
    summary: 'Ends the session: its token is refused afterwards',
    reply: {
      200: Type.Object({ message: Type.String(), user_id: Id, timestamp: Timestamp }),
    },
    atomic: true,
    fault: 'Failed to log out',
    async handler({ caller, request, db }) {
      // Of two concurrent requests only one has ended it.
      if (await deps.sessions.revoke(db, caller.session_id))
        await logActivity(db, { action: 'USER_LOGOUT', actor: caller, request });
      return { message: 'Logged out successfully', user_id: caller.user_id };
    },
  }),

  pspUpdate(deps),
  ...profileRoutes(deps),
  ...linkRoutes(deps),
];

const pspUpdate = ({ config, clock, credentials, pspCustomers }: PspUpdateDeps): Route =>
  endpoint('POST /users/psp_update', {
    name: 'users.reportVerification',
    auth: 'key',
    errors: ['USER_NOT_FOUND'],
    scope: 'psp',
    permit({ key }) {
      if (!config.MOCK_MODE && !isPsp(key))
        throw fail('FORBIDDEN', 'This endpoint needs an API key with the psp scope');
    },
    summary: 'A PSP reports the result of a verification; out of mock mode with a key of scope psp',
    body: Type.Object({
      user_id: IdInput,
      ekyc_status: oneOfWords(['PENDING', 'APPROVED', 'REJECTED'] as const),
      ekyc_verified_at: MomentInput,
      country_code: CountryInput,
    }),
    reply: { 200: MessageField },
    atomic: true,
    fault: 'Failed to update the user',
    async handler({ caller, body, request, db }) {
      const { ekyc_status: status, ekyc_verified_at, country_code } = body;
      const user = await lockUserInScope(db, tenantScopeOfKey(caller.key), body.user_id);
      if (!user) throw fail('USER_NOT_FOUND', 'User not found');
      const { user_id, client_id } = user;
      const by = { provider: 'PSP', source: 'PSP_UPDATE', at: clock.now() };
      await recordVerification(db, { user_id, status, verified_at: ekyc_verified_at, ...by });
      if (status === 'APPROVED') await activate(db, user_id);
      await pspCustomers.syncKyc(db, user_id, status);
      await logActivity(db, {
        action: 'PSP_UPDATE_USER',
        actor: null,
        client_id,
        subject_user_id: user_id,
        details: { ekyc_status: status, country_code, key_id: caller.key.key_id },
        request,
      });
      credentials.forget('user', user_id);
      return { message: 'User updated successfully' };
    },
  });

type PspUpdateDeps = Pick<UserDeps, 'config' | 'clock' | 'credentials' | 'pspCustomers'>;

/** Explicit: a key for everything is not thereby a PSP's. */
const isPsp = ({ scopes }: ApiKey): boolean => scopes.includes('psp');

async function usersWithTotals(db: Db, fx: ExchangeRates, page: UserPage) {
  const found = await listUsers(db, { ...page, limit: page.limit + 1 });
  const { rows, next_before } = pageOf(found, page.limit, ({ user_id }) => user_id);
  const totals = await totalsOf(db, fx, rows);
  const users = rows.map(({ country_code, ekyc_status, ...user }) => ({
    ...user,
    ekyc_status: ekyc_status ?? NOT_SUBMITTED,
    ...totals({ ...user, country_code }),
  }));
  return new Paged(users, next_before);
}
