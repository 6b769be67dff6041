import { Type } from 'typebox';
import { defineEvent } from '#kernel/events/event-type.ts';
import { EndpointReply } from './presenters.ts';

const example = {
  endpoint_id: '5d2f9b0e-3a1c-4f6e-9a55-0c1f6f1f2b77',
  client_id: 2,
  url: 'https://shop.example/webhooks',
  description: 'Orders',
  types: ['payment.*'],
  payload: 'fat',
  schema_versions: {},
  ordering: 'object',
  concurrency: 8,
  rate_limit: null,
  headers: [],
  status: 'active' as const,
  disabled_why: null,
  failures: 0,
  failing_since: null,
  next_probe_at: null,
  last_success_at: null,
  created_at: '2026-11-22T03:00:00.000Z',
  updated_at: '2026-11-22T03:00:00.000Z',
};

const failing = {
  ...example,
  status: 'failing' as const,
  failures: 5,
  failing_since: '2026-11-22T04:00:00.000Z',
  next_probe_at: '2026-11-22T04:00:05.000Z',
};

const shared = { schema: EndpointReply, since: '2026-11' };

export const created = defineEvent('webhook_endpoint.created', {
  ...shared,
  example,
  summary: 'A webhook endpoint was made',
});
export const updated = defineEvent('webhook_endpoint.updated', {
  ...shared,
  example,
  summary: 'A webhook endpoint was changed, paused or resumed, or has a new secret',
});
export const deleted = defineEvent('webhook_endpoint.deleted', {
  ...shared,
  example,
  summary: 'A webhook endpoint was deleted',
});
export const failingNow = defineEvent('webhook_endpoint.failing', {
  ...shared,
  example: failing,
  summary: 'An endpoint has failed again and again: it keeps its place, and is only probed',
});
export const recovered = defineEvent('webhook_endpoint.recovered', {
  ...shared,
  example,
  summary: 'An endpoint that failed works again, and gets what it has missed',
});
export const disabled = defineEvent('webhook_endpoint.disabled', {
  ...shared,
  example: {
    ...failing,
    status: 'disabled' as const,
    disabled_why: 'failing',
    next_probe_at: null,
  },
  summary: 'Nothing is sent to an endpoint any more, until it is resumed; it keeps its place',
});
export const eventsExpired = defineEvent('webhook_endpoint.events_expired', {
  ...shared,
  example: failing,
  summary: 'Events were forgotten that an endpoint had not got yet',
});

/** Sent to one endpoint by `POST /webhook-endpoints/{endpoint_id}/test`, and never written to the log. */
export const ping = defineEvent('test.ping', {
  object: 'webhook_endpoint',
  schema: Type.Object({ message: Type.String() }),
  example: { message: 'It works' },
  summary:
    'An admin tests an endpoint; it is sent whatever `types` the endpoint has, and `GET /events` does not list it',
  since: '2026-11',
});

export const webhookEvents = [
  created,
  updated,
  deleted,
  failingNow,
  recovered,
  disabled,
  eventsExpired,
  ping,
];
