import { UUID } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** This feature's words in the API reference, beside its declarations. */
export const EVENTS_WORDS: FeatureWords = {
  tags: {
    events: { group: 'Events', text: 'What has happened, as a list and as a stream.' },
  },
  titles: {
    'events.stream': 'Stream events',
    'events.listTypes': 'List event types',
  },
  descriptions: {
    'events.stream':
      'Users get what concerns them; admins and their keys get everything of their client. The stream ends after 15 minutes: connect again with `Last-Event-ID`, and nothing is missed.',
    'events.list':
      'Users see what concerns them; admins and their keys see everything of their client. A place that is older than the log is 410 `EVENTS_EXPIRED`.',
    'events.listTypes':
      'Any API key may call it. Webhook endpoints name these types; `test.ping` needs no name and is sent by `POST /webhook-endpoints/{endpoint_id}/test`.',
  },
  places: {
    'Event.id': 'evt_01KAMCSW5F6N1DM3V8Q2ZT7XYB',
    'EventObject.id': '812',
    'EventRequest.id': UUID,
    'Event.type': 'payment.succeeded',
    'EventObject.type': 'payment',
    'EventRequest.operation': UUID,
  },
  origins: [[/^events\.\w+\.event_id$/, 'events.list']],
  answers: [
    [/^actor$/, 'user 3'],
    [/^idempotency_key$/, 'first-top-up'],
  ],
};
