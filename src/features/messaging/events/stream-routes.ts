import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { wrongField } from '#kernel/error.ts';
import { logBounds } from '#kernel/events/event-log.ts';
import type { Events } from '#kernel/events/events.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route, Stream } from '#kernel/http/declare/route.ts';
import { explained, integerInput } from '#kernel/http/declare/schema.ts';
import type { CeilingShares } from '#kernel/quota/shares.ts';
import { placeAfter } from './cursor.ts';
import { readerOf, somebodyOnly } from './reader.ts';
import type { EventDeps } from './routes.ts';
import { boundsOf, type Reader } from './store.ts';
import { followStream, frame, type LifeDeps } from './stream-life.ts';
import { TypesInput, typesOf } from './types.ts';

const endpoint = endpoints(codedEnvelope);

export interface StreamDeps extends EventDeps, LifeDeps {
  readonly events: Pick<Events, 'follow'>;
  readonly shares: Pick<CeilingShares, 'enter'>;
}

/** Beyond the contract: events as they come. */
export function streamRoutes(deps: StreamDeps): Route[] {
  return [
    endpoint('GET /events/stream', {
      name: 'events.stream',
      auth: 'either',
      permit: somebodyOnly,
      errors: ['EVENTS_EXPIRED'],
      stream: true,
      once: true,
      summary:
        'Events as they come, as server-sent events: from now on, or after `Last-Event-ID`; ends after 15 minutes, to be asked for again',
      query: Type.Object({
        after: Type.Optional(
          explained(
            integerInput(0, Number.MAX_SAFE_INTEGER),
            'The `sequence` of the last one read, where there is no `Last-Event-ID`',
          ),
        ),
        type: Type.Optional(TypesInput),
      }),
      reply: { 200: Type.String({ contentMediaType: 'text/event-stream' }) },
      fault: 'Failed to stream events',
      async handler({ caller, query, request, db }) {
        const reader = await readerOf(db, caller);
        const types = typesOf(deps.catalogue(), query.type);
        const sent = lastEventId(request.headers['last-event-id']) ?? query.after;
        const place =
          sent === undefined ? await placeNow(db, reader) : await placeOf(db, reader, sent);
        const release = await deps.shares.enter('streams', { caller, ip: request.ip });
        return new Stream((out) => {
          out.onEnd(release);
          out.write(`retry: 1000\n\n${frame('ready', place.number, `{"after":${place.number}}`)}`);
          followStream(deps, { caller, reader, types, db, out, after: place.position });
        });
      },
    }),
  ];
}

interface Place {
  readonly position: number;
  /** The position in the caller's own numbers. */
  readonly number: number;
}

async function placeNow(db: Db, reader: Reader): Promise<Place> {
  const { head } = await logBounds(db);
  if (reader.client_id === undefined) return { position: head, number: head };
  const { last } = await boundsOf(db, reader.client_id);
  return { position: head, number: last };
}

const placeOf = async (db: Db, reader: Reader, number: number): Promise<Place> => ({
  position: await placeAfter(db, reader, number),
  number,
});

function lastEventId(sent: string | string[] | undefined): number | undefined {
  if (sent === undefined || sent === '') return undefined;
  if (typeof sent !== 'string' || !/^\d{1,15}$/.test(sent))
    throw wrongField('Last-Event-ID', 'is the id of an event of this stream');
  return Number(sent);
}
