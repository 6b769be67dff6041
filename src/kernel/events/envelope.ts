import { type TSchema, Type } from 'typebox';
import { named } from '../http/declare/named.ts';
import { Id, Nullable, TextOrNull, Timestamp } from '../http/declare/schema.ts';
import { eventIdOf } from './event-id.ts';
import type { LoggedEvent } from './event-log.ts';

/** The form of an event for readers, streams and webhooks alike. */
export const envelope = <S extends TSchema>(data: S) =>
  Type.Object({
    id: Type.String({
      description: 'The same in every repetition',
      examples: ['evt_01KAMCSW5F6N1DM3V8Q2ZT7XYB'],
    }),
    type: Type.String({ examples: ['payment.succeeded'] }),
    timestamp: Timestamp,
    schema_version: Type.Integer(),
    client_id: Id,
    sequence: Type.Integer({ description: 'Counts the events of the client, without a gap' }),
    live: Type.Boolean({ description: 'False wherever money is not real' }),
    object: named('EventObject', {
      type: Type.String({ examples: ['payment'] }),
      id: Type.String({ examples: ['812'] }),
      version: Type.Integer({ description: 'Of two events of an object the larger one is newer' }),
    }),
    request: named('EventRequest', {
      id: { ...TextOrNull, examples: ['b8b4f7b2-4f0c-4c38-9a4e-1f0c2a7d9d3e'] },
      idempotency_key: { ...TextOrNull, examples: ['first-top-up'] },
      actor: Type.String({ examples: ['user:3'] }),
      operation: Nullable(Type.String({ description: 'Names all that one order has led to' })),
    }),
    data,
  });

/** The position of an event in the log and in its client's sequence. */
export type EventPosition = Pick<LoggedEvent, 'position' | 'seq'>;

export interface RecordedEvent {
  /** Whether money is real here. */
  readonly live: boolean;
}

/**
 * As JSON, the same bytes each time. An object's version is the number of the event: the log has the object's
 * transactions in their order, so no column has to count them.
 */
export function envelopeOf(event: LoggedEvent, { live }: RecordedEvent): string {
  const { event_id, type, at, schema_version, client_id, seq } = event;
  const { object_type, object_id, request_id, idempotency_key, actor, operation } = event;
  const head = JSON.stringify({
    id: eventIdOf(event_id),
    type,
    timestamp: at,
    schema_version,
    client_id,
    sequence: seq,
    live,
    object: { type: object_type, id: object_id, version: seq },
    request: { id: request_id, idempotency_key, actor, operation },
  });
  return `${head.slice(0, -1)},"data":${event.data}}`;
}
