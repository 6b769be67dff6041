import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { uuidOf } from '#kernel/events/event-id.ts';
import { logBounds } from '#kernel/events/event-log.ts';
import { eventById, positionsBetween } from '#kernel/events/event-positions.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  Nothing,
  oneOfWords,
  spanEdge,
  stamped,
  TimeZone,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import {
  EndpointId,
  type RouteDeps,
  recordChange,
  requireEndpoint,
  webhookEndpointRoute,
} from './endpoint-route.ts';
import {
  announce,
  countReplays,
  findEndpoint,
  insertReplay,
  listOpenEndpoints,
  pause,
  resume,
  unpark,
  type WebhookEndpoint,
} from './endpoint-store.ts';
import { updated } from './event-types.ts';
import { managerOf } from './manager.ts';
import { EndpointReply, presentEndpoint } from './presenters.ts';
import { checkTypes } from './settings.ts';

const REPLAY_MAX = 100_000;
const REPLAYS_MAX = 10;
const One = stamped({ data: EndpointReply });

/** The owner's acts on a served endpoint. */
export const runningRoutes = (deps: RouteDeps): Route[] => [
  pauseRoute(deps),
  resumeRoute(deps),
  replayRoute(deps),
  resendRoute(),
];

const pauseRoute = (deps: RouteDeps): Route =>
  webhookEndpointRoute('POST /webhook-endpoints/{endpoint_id}/pause', {
    name: 'webhookEndpoints.pause',
    auth: 'either',
    console: true,
    permit: managerOf,
    errors: ['NOT_FOUND', 'CONFLICT'],
    summary: 'Sends nothing more to an endpoint, which keeps its place',
    params: EndpointId,
    body: Nothing,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to pause a webhook endpoint',
    async handler({ caller, params, db, request }) {
      await requireEndpoint(db, caller, params, 'locked');
      const row = await pause(db, params.endpoint_id);
      if (!row) throw fail('CONFLICT', 'The endpoint is paused or disabled already');
      await recordChange(
        db,
        { row, deps, caller, request, action: 'WEBHOOK_ENDPOINT_PAUSED' },
        updated,
      );
      return { data: presentEndpoint(row, deps.vault) };
    },
  });

const resumeRoute = (deps: RouteDeps): Route =>
  webhookEndpointRoute('POST /webhook-endpoints/{endpoint_id}/resume', {
    name: 'webhookEndpoints.resume',
    auth: 'either',
    console: true,
    permit: managerOf,
    errors: ['NOT_FOUND', 'CONFLICT'],
    summary: 'Goes on with an endpoint that was paused or disabled',
    params: EndpointId,
    body: Type.Object({
      from: Type.Optional(
        explained(
          oneOfWords(['place', 'now']),
          'Where it stopped, as is usual, or with what happens from now on; the rest can be replayed',
        ),
      ),
      since: Type.Optional(spanEdge('start', 'Instead: from what happened at that time on')),
      time_zone: Type.Optional(TimeZone),
    }),
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to resume a webhook endpoint',
    async handler({ caller, params, body, db, request }) {
      const { row: before } = await requireEndpoint(db, caller, params, 'locked');
      const { from = 'place', since } = body;
      const place = await placeOf(db, before, since ?? from);
      const row = await resume(db, params.endpoint_id, place);
      if (!row) throw fail('CONFLICT', 'The endpoint is neither paused nor disabled');
      await unpark(db, params.endpoint_id, place === undefined ? 'retry' : 'drop');
      await recordChange(
        db,
        { row, deps, caller, request, action: 'WEBHOOK_ENDPOINT_RESUMED' },
        updated,
      );
      return { data: presentEndpoint(row, deps.vault) };
    },
  });

async function placeOf(
  db: Db,
  { client_id }: WebhookEndpoint,
  from: string,
): Promise<number | undefined> {
  if (from === 'place') return undefined;
  const { head } = await logBounds(db);
  if (from === 'now') return head;
  const { place } = await positionsBetween(db, client_id, from, from);
  return place;
}

const Replayed = Type.Object({
  endpoint_id: Uuid,
  events: explained(Type.Integer(), 'How many events there are in that time, of all types'),
});

const replayRoute = (deps: RouteDeps): Route =>
  webhookEndpointRoute('POST /webhook-endpoints/{endpoint_id}/replay', {
    name: 'webhookEndpoints.replay',
    auth: 'either',
    permit: managerOf,
    errors: ['NOT_FOUND', 'CONFLICT'],
    summary: 'Sends what happened in a time once more, behind what happens now',
    params: EndpointId,
    body: Type.Object({
      from: spanEdge('start', 'Of that time or later'),
      to: spanEdge('until', 'Before that time'),
      time_zone: Type.Optional(TimeZone),
      types: Type.Optional(
        Type.Array(Type.String({ maxLength: 80 }), { minItems: 1, maxItems: 100 }),
      ),
      only_failed: Type.Optional(
        explained(Type.Boolean(), 'Only what has never arrived at the endpoint'),
      ),
    }),
    reply: { 202: stamped({ data: Replayed }) },
    atomic: true,
    fault: 'Failed to replay events',
    async handler({ caller, params, body, db }) {
      const { row } = await requireEndpoint(db, caller, params, 'locked');
      const { from, to, types = row.types, only_failed = false } = body;
      checkTypes(deps.catalogue(), types);
      refuseClosed(row);
      if (from >= to) throw wrongField('from', 'must be before to');
      const stretch = await positionsBetween(db, row.client_id, from, to);
      if (stretch.count > REPLAY_MAX)
        throw fail('LIMIT_EXCEEDED', `There are more than ${REPLAY_MAX} events in that time`);
      if ((await countReplays(db, row.endpoint_id)) >= REPLAYS_MAX)
        throw fail(
          'LIMIT_EXCEEDED',
          `An endpoint has ${REPLAYS_MAX} replays at a time at the most`,
        );
      // Events after its place are delivered anyway.
      const upto = Math.min(stretch.upto, row.place);
      const { endpoint_id } = row;
      const { place, count } = stretch;
      if (upto > place)
        await insertReplay(db, {
          endpoint_id,
          place,
          upto,
          types: [...types],
          only_failed,
          cause: 'replay',
        });
      await announce(db, endpoint_id);
      return { data: { endpoint_id, events: count } };
    },
  });

function refuseClosed({ status }: WebhookEndpoint): void {
  if (status === 'paused' || status === 'disabled')
    throw fail('CONFLICT', `The endpoint is ${status}: resume it first`);
}

const resendRoute = (): Route =>
  webhookEndpointRoute('POST /events/{event_id}/resend', {
    name: 'events.resend',
    auth: 'either',
    console: true,
    permit: managerOf,
    errors: ['NOT_FOUND', 'CONFLICT'],
    summary: 'Sends an event once more: to one endpoint, or to all that are subscribed to it',
    params: Type.Object({ event_id: Type.String({ maxLength: 100 }) }),
    body: Type.Object({ endpoint_id: Type.Optional(Uuid) }),
    reply: {
      202: stamped({
        data: Type.Object({ event_id: Type.String(), endpoints: Type.Array(Uuid) }),
      }),
    },
    atomic: true,
    fault: 'Failed to resend an event',
    async handler({ caller, params, body, db }) {
      const { scope } = managerOf(caller);
      const uuid = uuidOf(params.event_id);
      const event = uuid === undefined ? undefined : await eventById(db, uuid, scope.client_id);
      if (!event) throw fail('NOT_FOUND', 'There is no such event, or it is no longer kept');
      const { position, client_id, type } = event;
      const all = await listOpenEndpoints(db, client_id);
      const visible = await Promise.all(
        all.map(({ endpoint_id }) => findEndpoint(db, scope, endpoint_id)),
      );
      const mine = visible.filter((row) => row !== undefined);
      const { endpoint_id } = body;
      const named = mine.filter((row) => row.endpoint_id === endpoint_id);
      if (endpoint_id !== undefined && named.length === 0)
        throw fail('NOT_FOUND', 'There is no such webhook endpoint that is open');
      const chosen = endpoint_id === undefined ? mine.filter(subscribed(type)) : named;
      for (const { endpoint_id, place } of chosen) {
        // Events after its place are delivered anyway.
        const wanted = { types: [type], only_failed: false, cause: 'resend' };
        const stretch = { place: position - 1, upto: position };
        if (position <= place) await insertReplay(db, { endpoint_id, ...stretch, ...wanted });
        await announce(db, endpoint_id);
      }
      const endpoints = chosen.map((row) => row.endpoint_id);
      return { data: { event_id: params.event_id, endpoints } };
    },
  });

const subscribed =
  (type: string) =>
  ({ types }: WebhookEndpoint): boolean =>
    types.some(
      (filter) => filter === '*' || filter === type || filter === `${type.split('.')[0]}.*`,
    );
