import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { envelopeOf } from '#kernel/events/envelope.ts';
import { type LoggedEvent, logBounds } from '#kernel/events/event-log.ts';
import type { Events } from '#kernel/events/events.ts';
import { codedEnvelope } from '#kernel/http/envelope.ts';
import { fail } from '#kernel/http/error.ts';
import {
  endpoints,
  type KeyCaller,
  type Outlet,
  type Route,
  Stream,
  type UserCaller,
} from '#kernel/http/route.ts';
import { explained, integerInput } from '#kernel/http/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { placeAfter } from './cursor.ts';
import { readerOf } from './reader.ts';
import { type EventDeps, numberOf } from './routes.ts';
import { boundsOf, isStillIn, type Reader } from './store.ts';
import { TypesInput, typesOf } from './types.ts';

const endpoint = endpoints(codedEnvelope);

export interface StreamDeps extends EventDeps, Pick<Kernel, 'clock'> {
  readonly events: Pick<Events, 'follow' | 'followers'>;
}

const HEARTBEAT_MS = 15_000;
const LIFE_MS = 15 * 60_000;
const STREAMS_OF_ONE = 20;
const STREAMS_MAX = 1000;
/** What the other side does not take is not kept for longer: it goes on where it was. */
const WAITING_MAX = 256 * 1024;

/** Beyond the contract: events as they come. */
export function streamRoutes(deps: StreamDeps): Route[] {
  const streams = new Map<string, number>();
  return [
    endpoint('GET /events/stream', {
      name: 'events.stream',
      auth: 'either',
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
        const release = takeTurn(streams, deps.events.followers(), nameOf(caller));
        return new Stream((out) => {
          out.onEnd(release);
          out.write(`retry: 1000\n\n${frame('ready', place.number, `{"after":${place.number}}`)}`);
          follow(deps, { caller, reader, types, db, out, after: place.position });
        });
      },
    }),
  ];
}

interface Place {
  readonly position: number;
  /** As the caller names it. */
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
    throw fail('VALIDATION_ERROR', 'Last-Event-ID is the id of an event of this stream');
  return Number(sent);
}

const nameOf = (caller: KeyCaller | UserCaller): string =>
  'user_id' in caller ? `user:${caller.user_id}` : `key:${caller.key.key_id}`;

function takeTurn(streams: Map<string, number>, all: number, name: string): () => void {
  const own = streams.get(name) ?? 0;
  if (own >= STREAMS_OF_ONE)
    throw fail('RATE_LIMITED', `No more than ${STREAMS_OF_ONE} streams at once`, { retryAfter: 5 });
  if (all >= STREAMS_MAX)
    throw fail('OVERLOADED', 'Too many streams are open, try again shortly', { retryAfter: 5 });
  streams.set(name, own + 1);
  return () => {
    const left = (streams.get(name) ?? 1) - 1;
    if (left > 0) streams.set(name, left);
    else streams.delete(name);
  };
}

interface Following {
  readonly caller: KeyCaller | UserCaller;
  readonly reader: Reader;
  readonly types: readonly string[] | undefined;
  readonly db: Db;
  readonly out: Outlet;
  readonly after: number;
}

function follow({ events, clock, live }: StreamDeps, following: Following): void {
  const { caller, reader, types, db, out, after } = following;
  const leave = events.follow({
    ...reader,
    types,
    after,
    tell(event) {
      out.write(frame(event.type, numberOf(reader, event), textOf(event, live)));
      if (out.waiting > WAITING_MAX) out.end();
    },
    room: () => roomIn(out),
    end: () => out.end(),
  });
  const beat = setInterval(() => {
    out.write(':\n\n');
    isStillIn(db, caller, clock.now().toISOString()).then(
      (is) => is || out.end(),
      () => out.end(),
    );
  }, HEARTBEAT_MS);
  const life = setTimeout(() => out.end(), LIFE_MS);
  out.onEnd(() => {
    leave();
    clearInterval(beat);
    clearTimeout(life);
  });
}

const frame = (type: string, id: number, data: string): string =>
  `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`;

/** Of the event that was printed last: it goes to all who want it one after the other. */
let printed: { event: LoggedEvent; live: boolean; text: string } | undefined;
function textOf(event: LoggedEvent, live: boolean): string {
  if (printed?.event !== event || printed.live !== live)
    printed = { event, live, text: envelopeOf(event, { live }) };
  return printed.text;
}

const ROOM_MS = 30_000;

/** Rejects where the other side takes nothing for long. */
function roomIn(out: Outlet): Promise<void> {
  if (out.waiting < WAITING_MAX / 4) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('It takes nothing')), ROOM_MS);
    const done = () => {
      clearTimeout(late);
      resolve();
    };
    out.onDrained(done);
    out.onEnd(done);
  });
}
