import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { fail } from '#kernel/error.ts';
import { logBounds } from '#kernel/events/event-log.ts';
import { named } from '#kernel/http/declare/named.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  IdInput,
  integerInput,
  Nullable,
  nameInput,
  oneOfWords,
  stamped,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import {
  EndpointId,
  type RouteDeps,
  recordChange,
  requireEndpoint,
  SECRET,
  webhookEndpointRoute,
} from './endpoint-route.ts';
import {
  countEndpoints,
  deleteEndpoint,
  insertEndpoint,
  listEndpoints,
  updateSettings,
  type WebhookEndpoint,
  type WebhookSettings,
} from './endpoint-store.ts';
import { created, deleted, updated } from './event-types.ts';
import { makerOf, managerOf } from './manager.ts';
import { checkPins, type Pins, pinsNow } from './pinned.ts';
import { EndpointReply, presentEndpoint, sealing } from './presenters.ts';
import { checkHeaders, checkTypes, checkUrl } from './settings.ts';
import { newSecret } from './signature.ts';

const ENDPOINTS_MAX = 20;
const PAGE = 100;

const Types = explained(
  Type.Array(Type.String({ pattern: '^(\\*|[a-z0-9_]+\\.(\\*|[a-z0-9_]+))$', maxLength: 80 }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
  }),
  '`payment.succeeded`, `payment.*` or `*`',
);

const Given = named('WebhookSubscription', {
  url: Type.String({ maxLength: 2048 }),
  types: Types,
  description: Type.Optional(nameInput(200, 0)),
  payload: Type.Optional(
    explained(
      oneOfWords(['fat', 'thin']),
      '`fat` is the whole object, `thin` only which one it is',
    ),
  ),
  ordering: Type.Optional(
    explained(
      oneOfWords(['object', 'strict']),
      '`object`: events of one object in their order; `strict`: all, one after the other',
    ),
  ),
  concurrency: Type.Optional(explained(integerInput(1, 32), 'Requests at a time, 8 by default')),
  rate_limit: Type.Optional(
    Nullable(explained(integerInput(1, 1000), 'Requests a second; null is without')),
  ),
  schema_versions: Type.Optional(
    explained(
      Type.Record(Type.String({ maxLength: 80 }), integerInput(1, 1000)),
      'By type, where a type has several versions: as it was when the endpoint was made, until you change it',
    ),
  ),
  headers: Type.Optional(
    explained(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }),
        Type.String({ maxLength: 1024 }),
      ),
      'Of your own, up to ten, to let our requests in; their values are shown to no caller',
    ),
  ),
});

type Given = Static<typeof Given>;
const One = stamped({ data: EndpointReply });

/** Webhook endpoints: the addresses that get events. */
export const endpointRoutes = (deps: RouteDeps): Route[] => [
  createRoute(deps),
  listRoute(deps),
  readRoute(deps),
  changeRoute(deps),
  deleteRoute(deps),
];

const createRoute = (deps: RouteDeps): Route =>
  webhookEndpointRoute('POST /webhook-endpoints', {
    name: 'webhookEndpoints.create',
    creates: 'webhook_endpoint',
    auth: 'either',
    console: 'proof',
    permit: managerOf,
    errors: ['CLIENT_NOT_FOUND', 'LIMIT_EXCEEDED', 'CONFLICT'],
    summary: 'Makes an endpoint that what happens from now on is sent to, and tells its secret',
    body: Type.Object({
      ...Given.properties,
      client_id: Type.Optional(explained(IdInput, 'Whose it is; one’s own client’s by default')),
    }),
    reply: {
      201: stamped({ data: Type.Object({ ...EndpointReply.properties, secret: secret(SECRET) }) }),
    },
    atomic: true,
    fault: 'Failed to make a webhook endpoint',
    async handler({ caller, body, db, request }) {
      const manager = managerOf(caller);
      const client_id = body.client_id ?? manager.client_id;
      const count = await countEndpoints(db, manager.scope, client_id);
      if (count === undefined) throw fail('CLIENT_NOT_FOUND', 'Client not found');
      if (count >= ENDPOINTS_MAX)
        throw fail('LIMIT_EXCEEDED', `A client has ${ENDPOINTS_MAX} webhook endpoints at the most`);
      const whsec = newSecret();
      const endpoint_id = randomUUID();
      const { head } = await logBounds(db);
      const row = await insertEndpoint(db, {
        endpoint_id,
        client_id,
        place: head,
        made_by: makerOf(caller),
        ...settingsOf(deps, endpoint_id, body),
        secrets_sealed: sealing(deps.vault, endpoint_id).secrets.seal([
          { secret: whsec, not_after: null },
        ]),
      });
      await recordChange(
        db,
        { row, deps, caller, request, action: 'WEBHOOK_ENDPOINT_CREATED' },
        created,
      );
      return { data: { ...presentEndpoint(row, deps.vault), secret: whsec } };
    },
  });

/** The given settings, with the present ones for the rest. */
function settingsOf(
  { vault, outbound, catalogue }: RouteDeps,
  endpoint_id: string,
  given: Partial<Given>,
  before?: WebhookEndpoint,
): Omit<WebhookSettings, 'secrets_sealed'> {
  const { url = before?.url ?? '', types = before?.types ?? [], headers } = given;
  if (given.url !== undefined) checkUrl(outbound, url);
  if (given.types !== undefined) checkTypes(catalogue(), types);
  if (headers !== undefined) checkHeaders(headers);
  const pins = (before?.schema_versions as Pins | undefined) ?? pinsNow(catalogue());
  if (given.schema_versions !== undefined) checkPins(catalogue(), given.schema_versions);
  const sealed = sealing(vault, endpoint_id).headers;
  return {
    url,
    types: [...types],
    description: given.description ?? before?.description ?? '',
    schema_versions: { ...pins, ...given.schema_versions },
    payload: given.payload ?? before?.payload ?? 'fat',
    ordering: given.ordering ?? before?.ordering ?? 'object',
    concurrency: given.concurrency ?? before?.concurrency ?? 8,
    rate_limit: given.rate_limit === undefined ? (before?.rate_limit ?? null) : given.rate_limit,
    headers_sealed: headers === undefined ? (before?.headers_sealed ?? null) : sealed.seal(headers),
  };
}

const listRoute = ({ vault }: RouteDeps): Route =>
  webhookEndpointRoute('GET /webhook-endpoints', {
    name: 'webhookEndpoints.list',
    auth: 'either',
    console: true,
    permit: managerOf,
    summary: 'A client’s webhook endpoints; for the operator those of all',
    query: Type.Object({
      client_id: Type.Optional(IdInput),
      after: Type.Optional(explained(Uuid, 'The last one of the page before')),
      limit: Type.Optional(integerInput(1, PAGE)),
    }),
    reply: {
      200: stamped({
        data: Type.Object({
          endpoints: Type.Array(EndpointReply),
          has_more: Type.Boolean(),
          next_after: Nullable(Uuid),
        }),
      }),
    },
    fault: 'Failed to list webhook endpoints',
    async handler({ caller, query, db }) {
      const { client_id, after = FIRST, limit = PAGE } = query;
      const { scope } = managerOf(caller);
      const found = await listEndpoints(db, scope, { client_id, after, limit: limit + 1 });
      const endpoints = found.slice(0, limit).map((row) => presentEndpoint(row, vault));
      const has_more = found.length > limit;
      const next_after = has_more ? (endpoints.at(-1)?.endpoint_id ?? null) : null;
      return { data: { endpoints, has_more, next_after } };
    },
  });

const FIRST = '00000000-0000-0000-0000-000000000000';

const readRoute = ({ vault }: RouteDeps): Route =>
  webhookEndpointRoute('GET /webhook-endpoints/{endpoint_id}', {
    name: 'webhookEndpoints.get',
    auth: 'either',
    console: true,
    permit: managerOf,
    errors: ['NOT_FOUND'],
    summary: 'One webhook endpoint, and how it is',
    params: EndpointId,
    reply: { 200: One },
    fault: 'Failed to read a webhook endpoint',
    async handler({ caller, params, db }) {
      const { row } = await requireEndpoint(db, caller, params);
      return { data: presentEndpoint(row, vault) };
    },
  });

const changeRoute = (deps: RouteDeps): Route =>
  webhookEndpointRoute('PATCH /webhook-endpoints/{endpoint_id}', {
    name: 'webhookEndpoints.update',
    auth: 'either',
    permit: managerOf,
    errors: ['NOT_FOUND', 'CONFLICT'],
    summary: 'Changes a webhook endpoint; what is not given stays',
    params: EndpointId,
    body: Type.Partial(Given),
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to change a webhook endpoint',
    async handler({ caller, params, body, db, request }) {
      const { row: before } = await requireEndpoint(db, caller, params, 'locked');
      const { endpoint_id, secrets_sealed } = before;
      const settings = { ...settingsOf(deps, endpoint_id, body, before), secrets_sealed };
      const row = (await updateSettings(db, endpoint_id, settings)) ?? before;
      await recordChange(
        db,
        { row, deps, caller, request, action: 'WEBHOOK_ENDPOINT_UPDATED' },
        updated,
      );
      return { data: presentEndpoint(row, deps.vault) };
    },
  });

const deleteRoute = (deps: RouteDeps): Route =>
  webhookEndpointRoute('DELETE /webhook-endpoints/{endpoint_id}', {
    name: 'webhookEndpoints.delete',
    auth: 'either',
    console: 'proof',
    permit: managerOf,
    errors: ['NOT_FOUND'],
    summary: 'Deletes a webhook endpoint with all that waits for it',
    params: EndpointId,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to delete a webhook endpoint',
    async handler({ caller, params, db, request }) {
      const { row } = await requireEndpoint(db, caller, params, 'locked');
      await deleteEndpoint(db, row.endpoint_id);
      await recordChange(
        db,
        { row, deps, caller, request, action: 'WEBHOOK_ENDPOINT_DELETED' },
        deleted,
      );
      return { data: presentEndpoint(row, deps.vault) };
    },
  });
