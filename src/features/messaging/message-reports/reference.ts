import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** This feature's words in the API reference, beside its declarations. */
export const MESSAGE_REPORTS_WORDS: FeatureWords = {
  titles: {
    'callbacks.registerWhatsApp': 'Register the WhatsApp webhook',
    'callbacks.receiveWhatsApp': 'Webhook of WhatsApp',
    'callbacks.receiveSms': 'Webhook of Twilio',
  },
  descriptions: {
    'callbacks.registerWhatsApp':
      'Meta calls it when the webhook is entered in the app’s settings; the challenge comes back as it was sent.',
    'callbacks.receiveSms':
      'Twilio reports here what became of an SMS, at an address that names it: one that could not be delivered is failed, one whose answer got lost is not sent again.',
    'callbacks.receiveWhatsApp':
      'Meta reports here what became of messages. One that could not be delivered is failed; one whose answer got lost is not sent again.',
  },
  meanings: {
    'hub.mode': 'What Meta wants: `subscribe`',
    'hub.verify_token': 'The verify token that was entered beside the address',
    'hub.challenge': 'Comes back as it was sent',
  },
  origins: [[/^callbacks\.receiveSms\.message$/, 'An SMS that was sent']],
};
