import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { Catalogue } from '#kernel/events/catalogue.ts';
import { type EventPosition, envelope, envelopeOf } from '#kernel/events/envelope.ts';
import { uuidOf } from '#kernel/events/event-id.ts';
import type { LoggedEvent } from '#kernel/events/event-log.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { pageQuery } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  integerInput,
  Json,
  Nullable,
  spanEdge,
  stamped,
  TimeZone,
} from '#kernel/http/declare/schema.ts';
import { placeAfter, placeBefore } from './cursor.ts';
import { readerOf, somebodyOnly } from './reader.ts';
import { type EventSearch, findEvent, positionsOf, type Reader, searchLog } from './store.ts';
import { TypesInput, typesOf } from './types.ts';

const endpoint = endpoints(codedEnvelope);

export interface EventDeps {
  readonly live: boolean;
  catalogue(): Catalogue;
}

const PAGE = 50;
const PAGE_MAX = 100;
const Event = named('Event', envelope(Json).properties);

/** Beyond the contract: lists of events and their types. */
export const eventRoutes = (deps: EventDeps): Route[] => [
  listRoute(deps),
  readRoute(deps),
  typesRoute(deps),
];

const ObjectInput = explained(
  Type.String({ pattern: '^[a-z][a-z0-9_]*:.{1,200}$' }),
  'One object’s: its type and id, `payment:TOPUP-ABC`',
);

const listRoute = (deps: EventDeps): Route =>
  endpoint('GET /events', {
    name: 'events.list',
    auth: 'either',
    console: true,
    permit: somebodyOnly,
    errors: ['EVENTS_EXPIRED'],
    summary:
      'What has happened, newest first, or with `after` in its order: to a client for its admins and their keys, to oneself for users',
    query: Type.Object({
      ...pageQuery(PAGE_MAX),
      after: Type.Optional(
        explained(integerInput(0, Number.MAX_SAFE_INTEGER), 'The `sequence` of the last one read'),
      ),
      type: Type.Optional(TypesInput),
      object: Type.Optional(ObjectInput),
      from: Type.Optional(spanEdge('start', 'Of that time or later')),
      to: Type.Optional(spanEdge('until', 'Before that time')),
      time_zone: Type.Optional(TimeZone),
    }),
    reply: {
      200: stamped({
        data: Type.Object({
          events: Type.Array(Event),
          has_more: Type.Boolean(),
          /** One of them, by the direction. */
          next_before: Nullable(Type.Integer()),
          next_after: Nullable(Type.Integer()),
        }),
      }),
    },
    fault: 'Failed to read events',
    async handler({ caller, query, db }) {
      const { limit = PAGE } = query;
      const reader = await readerOf(db, caller);
      const search = await searchOf(db, reader, query, deps.catalogue());
      const { events, ended } = await searchLog(db, reader, { ...search, limit: limit + 1 });
      const page = events.slice(0, limit);
      const last = events.length > limit ? page.at(-1) : ended;
      const next = last ? numberOf(reader, last) : null;
      const data = {
        events: page.map((event) => parsed(event, deps)),
        has_more: next !== null,
        next_before: search.isAscending ? null : next,
        next_after: search.isAscending ? next : null,
      };
      return search.isAscending ? { data } : new Paged({ data }, next);
    },
  });

interface Query {
  readonly before?: number;
  readonly after?: number;
  readonly type?: string;
  readonly object?: string;
  readonly from?: string;
  readonly to?: string;
}

async function searchOf(
  db: Db,
  reader: Reader,
  { before, after, type, object, from, to }: Query,
  catalogue: Catalogue,
): Promise<Omit<EventSearch, 'limit'>> {
  if (before !== undefined && after !== undefined)
    throw fail('VALIDATION_ERROR', 'Ask for events before or after, not both');
  const times = await positionsOf(db, { from, to });
  const start = after === undefined ? 0 : await placeAfter(db, reader, after);
  const end =
    before === undefined ? Number.MAX_SAFE_INTEGER : await placeBefore(db, reader, before);
  return {
    above: Math.max(times.above, start),
    below: Math.min(times.below ?? end, end),
    isAscending: after !== undefined,
    types: typesOf(catalogue, type),
    object: object === undefined ? undefined : objectOf(object),
    from,
    to,
  };
}

const objectOf = (text: string) => {
  const colon = text.indexOf(':');
  return { type: text.slice(0, colon), id: text.slice(colon + 1) };
};

/** How a caller names a place in the log. */
export const numberOf = ({ client_id }: Reader, { position, seq }: EventPosition): number =>
  client_id === undefined ? position : seq;

const parsed = (event: LoggedEvent, { live }: EventDeps) => JSON.parse(envelopeOf(event, { live }));

const readRoute = (deps: EventDeps): Route =>
  endpoint('GET /events/{event_id}', {
    name: 'events.get',
    auth: 'either',
    console: true,
    permit: somebodyOnly,
    errors: ['NOT_FOUND'],
    summary: 'One event',
    params: Type.Object({ event_id: Type.String({ maxLength: 100 }) }),
    reply: { 200: stamped({ data: Event }) },
    fault: 'Failed to read an event',
    async handler({ caller, params, db }) {
      const reader = await readerOf(db, caller);
      const id = uuidOf(params.event_id);
      const event = id === undefined ? undefined : await findEvent(db, reader, id);
      if (!event) throw fail('NOT_FOUND', 'There is no such event, or it is no longer kept');
      return { data: parsed(event, deps) };
    },
  });

const typesRoute = ({ catalogue }: EventDeps): Route =>
  endpoint('GET /event-types', {
    name: 'events.listTypes',
    auth: 'key',
    summary: 'Everything that may happen, with the schema of its data and an example',
    reply: {
      200: stamped({
        data: Type.Object({
          event_types: Type.Array(
            Type.Object({
              type: Type.String(),
              object: Type.String(),
              schema_version: Type.Integer(),
              summary: Type.String(),
              since: Type.String(),
              schemas: Type.Array(Json),
              examples: Type.Array(Json),
              earlier: explained(
                Type.Array(
                  Type.Object({ schema_version: Type.Integer(), schema: Json, example: Json }),
                ),
                'Versions that webhook endpoints may be pinned to',
              ),
            }),
          ),
        }),
      }),
    },
    fault: 'Failed to list the types of events',
    async handler() {
      const all = catalogue();
      const event_types = all.names.map((type) => {
        const same = all.of(type);
        const [first] = same;
        return {
          type,
          object: first?.object ?? '',
          schema_version: first?.version ?? 1,
          summary: first?.summary ?? '',
          since: first?.since ?? '',
          schemas: same.map(({ schema }) => schema),
          examples: same.map(({ example }) => example),
          earlier: all.earlier(type).map(({ version, schema, example }) => ({
            schema_version: version,
            schema,
            example,
          })),
        };
      });
      return { data: { event_types } };
    },
  });
