import { type TProperties, Type } from 'typebox';
import type { AccountDeps } from '#features/accounts/clients/clients.ts';
import {
  PSP_A,
  PSP_A_COUNTRY,
  type PspCustomerRecord,
} from '#features/accounts/psp-customers/psp-customers.ts';
import { findUser } from '#features/accounts/users/users.ts';
import { clientScopeOf, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { LIST_MAX, listQuery, pageOf } from '#kernel/http/declare/page.ts';
import { at, endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  CountryInput,
  Email,
  Id,
  IdInput,
  Name,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { PhoneInput } from '#kernel/phone.ts';
import { approveKyc } from './approve-kyc-routes.ts';
import { auditRoute } from './audit-routes.ts';
import { createUserByAdmin } from './create-user.ts';
import { type LostAccessDeps, lostAccessRoutes } from './lost-access-routes.ts';
import { listAdmins } from './store.ts';

export type AdminDeps = AccountDeps & LostAccessDeps & Pick<Kernel, 'credentials'>;

const endpoint = endpoints(errorEnvelope);

const CREATED = {
  user_id: Id,
  username: Type.String(),
  email: Type.String(),
  phone: TextOrNull,
  role: Type.String(),
  user_status: Type.String(),
  created: Timestamp,
  updated: Timestamp,
  is_wishlist: Type.Boolean(),
} satisfies TProperties;

const Admins = Type.Object({
  admins: Type.Array(
    named('ListedAdmin', {
      user_id: Id,
      username: Type.String(),
      email: Type.String(),
      user_status: Type.String(),
      kyc_status: Type.String(),
    }),
  ),
});

const CreatedUser = named('CreatedUser', {
  message: Type.String(),
  user: Type.Object(CREATED),
  temp_password: secret(Type.String()),
  ekyc_status: Type.String(),
  psp_a_integration: Type.Optional(
    Type.Object({
      psp_provider: Type.String(),
      customer_status: Type.String(),
      customer_id: TextOrNull,
      customer_type: Type.String(),
      database_id: Id,
    }),
  ),
});

const Administered = named('AdministeredUser', {
  user: Type.Object({
    ...CREATED,
    tos_accepted_at: TextOrNull,
    twofa_enabled: Type.Boolean(),
    social_username: TextOrNull,
    social_verified: Type.Boolean(),
    public_key: TextOrNull,
    profile_picture: TextOrNull,
    psp_id: TextOrNull,
    client_id: Id,
    client_alias: Type.String(),
    client_type: Type.String(),
    country_code: Type.String(),
    client_code: Type.String(),
    ekyc_status: Type.String(),
    ekyc_verified_at: TextOrNull,
    ekyc_provider: TextOrNull,
    ekyc_applicant_id: TextOrNull,
    ekyb_status: Type.String(),
    ekyb_verified_at: TextOrNull,
    ekyb_applicant_id: TextOrNull,
  }),
  psp_a_integration: Nullable(
    Type.Object({
      country_code: Type.String(),
      psp_provider: Type.String(),
      customer_info: Nullable(
        Type.Object({
          customer_id: Type.String(),
          customer_type: Type.String(),
          status: Type.String(),
          created_at: Timestamp,
        }),
      ),
    }),
  ),
});

const CREATE_ERRORS = ['CLIENT_NOT_FOUND', 'EMAIL_EXISTS', 'NO_PSP_FOR_COUNTRY'] as const;

/** Contract: Admin; and the audit log. */
export const adminRoutes = (deps: AdminDeps): Route[] => [...listRoutes(), ...userRoutes(deps)];

const listRoutes = (): Route[] => [
  endpoint('GET /admins/list', {
    name: 'admins.list',
    team: 'team:read',
    auth: 'admin',
    history: true,
    summary: "The admins of the caller's client, newest first; the next page is `before` the last",
    query: Type.Object(listQuery),
    reply: { 200: Admins, 404: Admins },
    fault: 'Failed to list admins',
    async handler({ caller, query, db }) {
      const { limit = LIST_MAX, before } = query;
      const page = { client_id: clientScopeOf(caller), limit: limit + 1, before };
      const found = await listAdmins(db, page);
      const { rows: admins, next_before } = pageOf(found, limit, ({ user_id }) => user_id);
      return admins.length > 0 ? new Paged({ admins }, next_before) : at(404, { admins: [] });
    },
  }),
];

const userRoutes = (deps: AdminDeps): Route[] => [
  endpoint('POST /admins/users', {
    name: 'admins.createUser',
    team: 'team:write',
    creates: 'user',
    auth: 'admin',
    proof: true,
    errors: CREATE_ERRORS,
    summary: 'Creates a verified user with a temporary password, which is e-mailed as well',
    body: Type.Object({
      client_id: IdInput,
      username: Name,
      email: Email,
      phone: PhoneInput,
      country_code: CountryInput,
      role: Type.Optional(oneOfWords(['admin', 'user'] as const)),
      is_wishlist: Type.Optional(Type.Boolean()),
    }),
    reply: { 201: CreatedUser },
    fault: 'Failed to create user',
    async handler({ caller, body, operation, request }) {
      const by = { caller, operation, request };
      const { user, temp_password, customer } = await createUserByAdmin(deps, body, by);
      return {
        message: 'User created successfully',
        user,
        temp_password,
        ekyc_status: user.ekyc_status,
        ...(customer && {
          psp_a_integration: {
            psp_provider: PSP_A,
            customer_status: customer.status,
            customer_id: customer.customer_id,
            customer_type: customer.customer_type,
            database_id: customer.id,
          },
        }),
      };
    },
  }),

  approveKyc(deps),

  endpoint('GET /admins/users/{user_id}', {
    name: 'admins.getUser',
    auth: 'admin',
    errors: ['USER_NOT_FOUND'],
    summary: 'A user with client, verification and, in Indonesia, customer at the PSP',
    params: Type.Object({ user_id: IdInput }),
    reply: { 200: Administered },
    fault: 'Failed to read the user',
    async handler({ caller, params, db }) {
      const user = await findUser(db, tenantScopeOf(caller), params.user_id);
      if (!user) throw fail('USER_NOT_FOUND', 'User not found');
      const customer = await deps.pspCustomers.ofUser(db, user.user_id);
      // A user may have been registered for Indonesia by a client of another country.
      const indonesian = user.country_code === PSP_A_COUNTRY || customer !== undefined;
      const psp_a_integration = indonesian
        ? {
            country_code: PSP_A_COUNTRY,
            psp_provider: PSP_A,
            customer_info: customer ? atProvider(customer) : null,
          }
        : null;
      return { user, psp_a_integration };
    },
  }),

  auditRoute(),
  ...lostAccessRoutes(deps),
];

/** A planned customer that the provider does not have yet is no customer. */
const atProvider = ({ customer_id, ...customer }: PspCustomerRecord) =>
  customer_id === null ? null : { customer_id, ...customer };
