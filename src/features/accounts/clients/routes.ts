import { Type } from 'typebox';
import { PSP_A } from '#features/accounts/psp-customers/psp-customers.ts';
import { clientScopeOf } from '#kernel/access/tenant-scope.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { LIST_MAX, listQuery, pageOf } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  CountryInput,
  Email,
  explained,
  Id,
  Name,
  TextOrNull,
  Timestamp,
  TimeZone,
  text,
} from '#kernel/http/declare/schema.ts';
import { PhoneInput } from '#kernel/phone.ts';
import type { AccountDeps } from './account-deps.ts';
import { createClient } from './create-client.ts';
import { CLIENT } from './presenters.ts';
import { listClients } from './store.ts';

const endpoint = endpoints(errorEnvelope);

const Customer = named('PspCustomerState', {
  status: Type.String(),
  customer_id: TextOrNull,
  customer_type: Type.String(),
});

const Created = Type.Object({
  message: Type.String(),
  client: named('Client', CLIENT),
  admin_user: Type.Object({
    user_id: Id,
    client_id: Id,
    username: Type.String(),
    email: Type.String(),
    phone: TextOrNull,
    role: Type.String(),
    user_status: Type.String(),
    ekyc_status: Type.String(),
  }),
  ekyc_status: Type.String(),
  psp_a_integration: Type.Optional(
    Type.Object({
      psp_provider: Type.String(),
      business_customer: Customer,
      admin_customer: Customer,
    }),
  ),
});

/** Contract: Clients and instances, the first two rows. */
export const clientRoutes = (deps: AccountDeps): Route[] => [
  endpoint('POST /clients/create_with_admin', {
    name: 'clients.create',
    creates: 'client',
    auth: 'key',
    errors: ['EMAIL_IN_USE', 'NO_PSP_FOR_COUNTRY'],
    summary: 'Creates a client together with its admin user, whose password is e-mailed',
    body: Type.Object({
      email: Email,
      client_alias: Name,
      client_type: text(50),
      client_status: Type.Optional(text(30)),
      country_code: CountryInput,
      phone: PhoneInput,
      time_zone: Type.Optional(
        explained(TimeZone, 'In which its days begin and end; default: one of its country'),
      ),
    }),
    reply: { 201: Created },
    fault: 'Failed to create Client',
    async handler({ caller, body, operation, request }) {
      const by = { caller, operation, request };
      const { client, admin, customers } = await createClient(deps, body, by);
      const of = (customer_type: string) => {
        const found = customers.find((customer) => customer.customer_type === customer_type);
        return {
          status: found?.status ?? 'PENDING',
          customer_id: found?.customer_id ?? null,
          customer_type,
        };
      };
      return {
        message: 'Client and admin user created successfully',
        client,
        admin_user: admin,
        ekyc_status: admin.ekyc_status,
        ...(customers.length > 0 && {
          psp_a_integration: {
            psp_provider: PSP_A,
            business_customer: of('BUSINESS'),
            admin_customer: of('INDIVIDUAL'),
          },
        }),
      };
    },
  }),

  endpoint('GET /clients', {
    name: 'clients.list',
    auth: 'admin',
    history: true,
    summary: `Client records, newest first; the page after is before the last one's client_id`,
    query: Type.Object(listQuery),
    reply: {
      200: Type.Array(named('ListedClient', { ...CLIENT, created: Timestamp, updated: Timestamp })),
    },
    fault: 'Failed to list clients',
    async handler({ caller, query: { limit = LIST_MAX, before }, db }) {
      const page = { client_id: clientScopeOf(caller), limit: limit + 1, before };
      const found = await listClients(db, page);
      const { rows, next_before } = pageOf(found, limit, ({ client_id }) => client_id);
      return new Paged(rows, next_before);
    },
  }),
];
