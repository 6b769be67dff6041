import { codeTable } from '../code-table.ts';

/** HTTP statuses by which Twilio and FCM say that this message will never be taken, and by which they say: later. */
export const MESSAGE_STATUSES = codeTable<'refused' | 'wait'>({
  source:
    'https://firebase.google.com/docs/cloud-messaging/error-codes, https://www.twilio.com/docs/usage/twilios-response',
  read: null,
  meanings: {
    '400': 'refused',
    '404': 'refused',
    '410': 'refused',
    '422': 'refused',
    /** What the operator puts right. */
    '401': 'wait',
    '403': 'wait',
    '429': 'wait',
    '500': 'wait',
    '503': 'wait',
  },
});
