import { randomUUID } from 'node:crypto';
import { type TSchema, Type } from 'typebox';
import { providePartitions } from '#kernel/db/partition-store.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { eventIdOf, uuidOf } from '#kernel/events/event-id.ts';
import { eventById } from '#kernel/events/event-positions.ts';
import { named } from '#kernel/http/declare/named.ts';
import { pageOf, pageQuery } from '#kernel/http/declare/page.ts';
import { Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  Nothing,
  Nullable,
  oneOfWords,
  stamped,
  TextOrNull,
} from '#kernel/http/declare/schema.ts';
import { attempt } from './attempt.ts';
import { bodyOf, notificationOf, pingOf } from './body.ts';

import {
  EndpointId,
  type RouteDeps,
  requireEndpoint,
  webhookEndpointRoute,
} from './endpoint-route.ts';
import { ping } from './event-types.ts';
import { findWebhookAttempt, insertAttempt, listAttempts, listDeliveries } from './log-store.ts';
import { managerOf } from './manager.ts';
import {
  AttemptReply,
  DeliveryReply,
  presentAttempt,
  presentDelivery,
  withoutQuery,
} from './presenters.ts';

const PAGE = 50;
const PAGE_MAX = 100;

/** Deliveries to an endpoint, and its answers. */
export const deliveryRoutes = (deps: RouteDeps): Route[] => [
  deliveriesRoute(),
  attemptsRoute(),
  attemptRoute(deps),
  testRoute(deps),
];

const deliveriesRoute = (): Route =>
  webhookEndpointRoute('GET /webhook-endpoints/{endpoint_id}/deliveries', {
    name: 'webhookEndpoints.listDeliveries',
    auth: 'either',
    console: true,
    permit: managerOf,
    history: true,
    errors: ['NOT_FOUND'],
    summary: 'The events that were sent to an endpoint, newest first, and how it stands with each',
    params: EndpointId,
    query: Type.Object(pageQuery(PAGE_MAX)),
    reply: { 200: pageReply('deliveries', DeliveryReply) },
    fault: 'Failed to list deliveries',
    async handler({ caller, params, query, db }) {
      const { limit = PAGE, before } = query;
      const { row } = await requireEndpoint(db, caller, params);
      const found = await listDeliveries(db, row.endpoint_id, { before, limit: limit + 1 });
      const { rows, ...page } = pageOf(found, limit, ({ at }) => at);
      return new Paged(
        { data: { deliveries: rows.map(presentDelivery), ...page } },
        page.next_before,
      );
    },
  });

function pageReply<N extends string, S extends TSchema>(name: N, one: S) {
  const list = { [name]: Type.Array(one) } as Record<N, ReturnType<typeof Type.Array<S>>>;
  return stamped({
    data: Type.Object({
      ...list,
      has_more: Type.Boolean(),
      next_before: Nullable(Type.Integer()),
    }),
  });
}

const attemptsRoute = (): Route =>
  webhookEndpointRoute('GET /webhook-endpoints/{endpoint_id}/attempts', {
    name: 'webhookEndpoints.listAttempts',
    auth: 'either',
    console: true,
    permit: managerOf,
    history: true,
    errors: ['NOT_FOUND'],
    summary: 'What was tried at an endpoint in the last 30 days, newest first',
    params: EndpointId,
    query: Type.Object({
      ...pageQuery(PAGE_MAX),
      event_id: Type.Optional(Type.String({ maxLength: 40 })),
      result: Type.Optional(oneOfWords(['delivered', 'failed', 'exhausted'])),
    }),
    reply: { 200: pageReply('attempts', AttemptReply) },
    fault: 'Failed to list attempts',
    async handler({ caller, params, query, db }) {
      const { limit = PAGE, before, result } = query;
      const { row } = await requireEndpoint(db, caller, params);
      const event_id = query.event_id === undefined ? undefined : uuidOf(query.event_id);
      if (query.event_id !== undefined && event_id === undefined)
        throw wrongField('event_id', 'is not the id of an event');
      const filter = { before, event_id, result, limit: limit + 1 };
      const found = await listAttempts(db, row.endpoint_id, filter);
      const { rows, ...page } = pageOf(found, limit, ({ attempt_id }) => attempt_id);
      return new Paged({ data: { attempts: rows.map(presentAttempt), ...page } }, page.next_before);
    },
  });

const Sent = named('SentWebhook', {
  ...AttemptReply.properties,
  request_body: explained(
    TextOrNull,
    'The bytes that were sent, as long as the event is kept; a test’s are not',
  ),
});

const attemptRoute = (deps: RouteDeps): Route =>
  webhookEndpointRoute('GET /webhook-endpoints/{endpoint_id}/attempts/{attempt_id}', {
    name: 'webhookEndpoints.getAttempt',
    auth: 'either',
    console: true,
    permit: managerOf,
    errors: ['NOT_FOUND'],
    summary: 'One try, with what was sent and how it was answered',
    params: Type.Object({
      ...EndpointId.properties,
      attempt_id: Type.Unsafe<number>({ wire: 'integer', min: 1, max: Number.MAX_SAFE_INTEGER }),
    }),
    reply: { 200: stamped({ data: Sent }) },
    fault: 'Failed to read an attempt',
    async handler({ caller, params, db }) {
      const { row } = await requireEndpoint(db, caller, params);
      const found = await findWebhookAttempt(db, row.endpoint_id, params.attempt_id);
      if (!found) throw fail('NOT_FOUND', 'There is no such attempt, or it is no longer kept');
      const event = await eventById(db, found.event_id, row.client_id);
      const request_body = event === undefined ? null : bodyOf(event, row, deps);
      return { data: { ...presentAttempt(found), request_body } };
    },
  });

const testRoute = (deps: RouteDeps): Route =>
  webhookEndpointRoute('POST /webhook-endpoints/{endpoint_id}/test', {
    name: 'webhookEndpoints.test',
    auth: 'either',
    console: true,
    permit: managerOf,
    errors: ['NOT_FOUND'],
    summary: 'Sends `test.ping` now, whatever the endpoint’s status, and answers what came back',
    params: EndpointId,
    body: Nothing,
    reply: { 200: stamped({ data: AttemptReply }) },
    fault: 'Failed to test a webhook endpoint',
    async handler({ caller, params, db, request }) {
      const { row } = await requireEndpoint(db, caller, params);
      const now = deps.clock.now();
      const event_id = randomUUID();
      const body = pingOf({ event_id, endpoint: row, live: deps.live, now });
      const notification = notificationOf(deps, row, { id: eventIdOf(event_id), body, attempt: 1 });
      const leave = await deps.shares.enter('deliveries', { caller, ip: request.ip });
      const { isDelivered, at, status, ms, error, response } = await attempt(
        deps.outbound,
        { ...notification, keepAlive: false },
        now,
      ).finally(leave);
      await providePartitions(db, 'webhooks.attempts', at);
      const made = await insertAttempt(db, {
        endpoint_id: row.endpoint_id,
        position: null,
        event_id,
        event_type: ping.name,
        object_type: ping.object,
        object_id: row.endpoint_id,
        attempt: 1,
        at: at.toISOString(),
        cause: 'test',
        result: isDelivered ? 'delivered' : 'failed',
        url: withoutQuery(row.url),
        status,
        ms,
        error,
        response,
      });
      return { data: presentAttempt(made) };
    },
  });
