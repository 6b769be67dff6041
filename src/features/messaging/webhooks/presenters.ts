import { type Static, Type } from 'typebox';
import { eventIdOf } from '#kernel/events/event-id.ts';
import { named } from '#kernel/http/declare/named.ts';
import {
  explained,
  Id,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import type { WebhookEndpoint } from './endpoint-store.ts';
import type { WebhookAttempt, WebhookDelivery } from './log-store.ts';
import { describeSchedule, SCHEDULE_S } from './schedule.ts';
import type { Secret } from './signature.ts';

export const EndpointReply = named('WebhookEndpoint', {
  endpoint_id: Uuid,
  client_id: Id,
  url: explained(Type.String(), 'In events without its query, which may hold a secret'),
  description: Type.String(),
  types: Type.Array(Type.String()),
  payload: Type.String(),
  schema_versions: explained(
    Type.Record(Type.String(), Type.Integer()),
    'Which version of a type it gets; the first one of those that are not named',
  ),
  ordering: Type.String(),
  concurrency: Type.Integer(),
  rate_limit: Nullable(Type.Integer()),
  /** The names of its own headers; no answer has their values. */
  headers: Type.Array(Type.String()),
  status: explained(
    oneOfWords(['active', 'failing', 'paused', 'disabled']),
    '`failing`: only probes are sent until one is taken',
  ),
  disabled_why: explained(
    TextOrNull,
    '`gone`: it answered 410; `failing`: for five days; `not_public`: its address is not public any more',
  ),
  failures: explained(Type.Integer(), 'Tries in a row that have failed'),
  failing_since: Nullable(Timestamp),
  next_probe_at: Nullable(Timestamp),
  last_success_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export type EndpointData = Static<typeof EndpointReply>;

/** Seals an endpoint's secrets and headers under its id. */
export const sealing = (vault: Vault, endpoint_id: string) => ({
  secrets: {
    seal: (secrets: readonly Secret[]) =>
      vault.seal(JSON.stringify(secrets), `webhook:${endpoint_id}`),
    open: (sealed: string) => JSON.parse(vault.open(sealed, `webhook:${endpoint_id}`)) as Secret[],
  },
  headers: {
    seal: (headers: Readonly<Record<string, string>>) =>
      Object.keys(headers).length === 0
        ? null
        : vault.seal(JSON.stringify(headers), `webhook headers:${endpoint_id}`),
    open: (sealed: string | null): Record<string, string> =>
      sealed === null ? {} : JSON.parse(vault.open(sealed, `webhook headers:${endpoint_id}`)),
  },
});

/** An address for logs and events: without query and user info, where many receivers have a secret. */
export function withoutQuery(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

/** As events show it, which other endpoints may receive and the log of events keeps. */
export const endpointInEvents = (endpoint: WebhookEndpoint, vault: Vault): EndpointData => ({
  ...presentEndpoint(endpoint, vault),
  url: withoutQuery(endpoint.url),
});

/** As its GET answers it. */
export function presentEndpoint(endpoint: WebhookEndpoint, vault: Vault): EndpointData {
  const { probe_at, status, headers_sealed, endpoint_id, schema_versions } = endpoint;
  const headers = Object.keys(sealing(vault, endpoint_id).headers.open(headers_sealed));
  return {
    ...endpoint,
    schema_versions: schema_versions as EndpointData['schema_versions'],
    status: status as EndpointData['status'],
    headers,
    next_probe_at: status === 'failing' ? probe_at : null,
  };
}

export const AttemptReply = named('WebhookAttempt', {
  attempt_id: Type.Integer(),
  event_id: Type.String(),
  event_type: Type.String(),
  object: Type.Object({ type: Type.String(), id: Type.String() }),
  attempt: explained(
    Type.Integer(),
    `Which one of ${SCHEDULE_S.length}: ${describeSchedule()}, each up to a fifth sooner or later`,
  ),
  at: Timestamp,
  cause: oneOfWords(['event', 'retry', 'probe', 'replay', 'resend', 'test']),
  result: explained(
    oneOfWords(['delivered', 'failed', 'exhausted']),
    '`exhausted`: the last try of all; send it again by hand',
  ),
  url: explained(Type.String(), 'Without its query, which may hold a secret'),
  status: Nullable(Type.Integer()),
  ms: Type.Integer(),
  error: TextOrNull,
  response: explained(TextOrNull, 'How the answer began, up to 2 KiB'),
});

type AttemptReply = Static<typeof AttemptReply>;

export const presentAttempt = ({
  event_id,
  ...row
}: Omit<WebhookAttempt, 'endpoint_id'>): AttemptReply => ({
  ...row,
  event_id: eventIdOf(event_id),
  object: { type: row.object_type, id: row.object_id },
  cause: row.cause as AttemptReply['cause'],
  result: row.result as AttemptReply['result'],
});

export const DeliveryReply = named('WebhookDelivery', {
  event_id: Type.String(),
  event_type: Type.String(),
  object: Type.Object({ type: Type.String(), id: Type.String() }),
  status: explained(
    oneOfWords(['delivered', 'waiting', 'exhausted']),
    '`waiting` for another try, or behind another event of its object',
  ),
  attempts: Type.Integer(),
  last_attempt_at: Nullable(Timestamp),
  next_attempt_at: Nullable(Timestamp),
  last_status: Nullable(Type.Integer()),
  last_error: TextOrNull,
});

type DeliveryReply = Static<typeof DeliveryReply>;

export const presentDelivery = ({ event_id, ...row }: WebhookDelivery): DeliveryReply => ({
  ...row,
  event_id: eventIdOf(event_id),
  object: { type: row.object_type, id: row.object_id },
  status: row.status as DeliveryReply['status'],
});

/** Secrets and headers of webhook endpoints. */
export const SEALED_ENDPOINTS: readonly SealedKind[] = [
  {
    what: 'secrets of webhooks',
    text: `select secrets_sealed as sealed, 'webhook:' || endpoint_id as context, null::bytea as mark
      from webhooks.endpoints`,
  },
  {
    what: 'headers of webhooks',
    text: `select headers_sealed as sealed, 'webhook headers:' || endpoint_id as context, null::bytea as mark
      from webhooks.endpoints where headers_sealed is not null`,
  },
];
