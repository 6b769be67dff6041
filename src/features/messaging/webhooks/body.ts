import type { Catalogue } from '#kernel/events/catalogue.ts';
import { envelopeOf } from '#kernel/events/envelope.ts';
import { eventIdOf } from '#kernel/events/event-id.ts';
import type { LoggedEvent } from '#kernel/events/event-log.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import type { WebhookNotification } from './attempt.ts';
import type { WebhookEndpoint } from './endpoint-store.ts';
import { ping } from './event-types.ts';
import { type Pins, pinned } from './pinned.ts';
import { sealing } from './presenters.ts';

/** Bodies by event: several endpoints get the same one. */
const bodies = new WeakMap<LoggedEvent, string>();

export interface EnvelopeOptions {
  /** Whether this service moves real money. */
  readonly live: boolean;
  catalogue(): Catalogue;
}

/** The body of a notification: the same bytes in each attempt. */
export function bodyOf(
  logged: LoggedEvent,
  { payload, schema_versions }: Pick<WebhookEndpoint, 'payload' | 'schema_versions'>,
  { live, catalogue }: EnvelopeOptions,
): string {
  const event = pinned(logged, schema_versions as Pins, catalogue());
  if (payload === 'thin') return thin(event, live);
  const known = bodies.get(event) ?? envelopeOf(event, { live });
  bodies.set(event, known);
  return known;
}

/** Only names the object; the receiver reads it by its GET. */
const thin = (event: LoggedEvent, live: boolean): string =>
  JSON.stringify({
    id: eventIdOf(event.event_id),
    type: event.type,
    timestamp: event.at,
    schema_version: event.schema_version,
    client_id: event.client_id,
    sequence: event.seq,
    live,
    object: { type: event.object_type, id: event.object_id, version: event.seq },
  });

interface Ping {
  readonly event_id: string;
  readonly endpoint: WebhookEndpoint;
  readonly live: boolean;
  readonly now: Date;
}

/** A test in the shape of all events; it is not in the log, and so has no number. */
export const pingOf = ({ event_id, endpoint, live, now }: Ping): string =>
  JSON.stringify({
    id: eventIdOf(event_id),
    type: ping.name,
    timestamp: now.toISOString(),
    schema_version: ping.version,
    client_id: endpoint.client_id,
    sequence: 0,
    live,
    object: { type: ping.object, id: endpoint.endpoint_id, version: 0 },
    request: { id: null, idempotency_key: null, actor: 'system', operation: null },
    data: ping.example,
  });

/** A body with the endpoint's address, secrets and headers. */
export function notificationOf(
  { vault }: { readonly vault: Vault },
  { url, endpoint_id, secrets_sealed, headers_sealed }: WebhookEndpoint,
  sent: Pick<WebhookNotification, 'id' | 'body' | 'attempt'>,
): WebhookNotification {
  const { secrets, headers } = sealing(vault, endpoint_id);
  return {
    url,
    ...sent,
    secrets: secrets.open(secrets_sealed),
    headers: headers.open(headers_sealed),
  };
}
