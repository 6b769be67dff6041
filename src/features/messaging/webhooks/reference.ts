import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** This feature's words in the API reference, beside its declarations. */
export const WEBHOOKS_WORDS: FeatureWords = {
  tags: {
    webhookEndpoints: {
      group: 'Events',
      text: 'Where what happens is sent to, signed, until it is taken.',
    },
    webhooks: {
      group: 'Events',
      text: 'What is sent there: one operation for each kind of event.',
    },
  },
  titles: {
    'webhookEndpoints.rotateSecret': 'Rotate the secret of an endpoint',
    'webhookEndpoints.revealSecret': 'Reveal the secrets of an endpoint',
    'webhookEndpoints.listDeliveries': 'List deliveries of an endpoint',
    'webhookEndpoints.listAttempts': 'List attempts of an endpoint',
    'webhookEndpoints.getAttempt': 'Get an attempt',
    'webhookEndpoints.replay': 'Replay events to an endpoint',
  },
  descriptions: {
    'webhookEndpoints.create':
      'An admin creates it for the own client, or a key of an admin. The answer shows the secret that signs what is sent. The endpoint gets the types that it names, from now on, at least once each. `webhook_endpoint.created` follows.',
    'webhookEndpoints.list': 'An admin sees those of the own client, or a key of an admin.',
  },
  places: {
    'SentWebhook.id': 'evt_01KAMCSW5F6N1DM3V8Q2ZT7XYB',
    'WebhookAttempt.id': 'evt_01KAMCSW5F6N1DM3V8Q2ZT7XYB',
    'WebhookDelivery.id': 'evt_01KAMCSW5F6N1DM3V8Q2ZT7XYB',
    'SentWebhook.error': 'It answered 500',
    'WebhookAttempt.error': 'It answered 500',
  },
  origins: [
    [/^webhookEndpoints\.\w+\.endpoint_id$/, 'webhookEndpoints.create'],
    [/^webhookEndpoints\.\w+\.attempt_id$/, 'webhookEndpoints.listAttempts'],
  ],
  answers: [
    [/^disabled_why$/, 'failing'],
    [/^last_error$/, 'It answered 500'],
    [/^ordering$/, 'object'],
    [/^payload$/, 'fat'],
    [/^(request_body|response)$/, ''],
  ],
  meanings: {
    endpoint_id: 'Of an endpoint of webhooks',
    attempt_id: 'Of one try to deliver an event',
    types: 'Types of events, or `payment.*` for all of a kind',
    rate_limit: 'How many webhooks a second it takes at the most; nothing for no limit',
  },
};
