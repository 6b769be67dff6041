import { defineObject } from '#kernel/events/define-object.ts';
import { type NamedRecipient, recipientIdOf, ShownRecipient, shownRecipient } from './shapes.ts';

const AT = '2026-11-28T03:00:58.447Z';

/** Whom users pay. */
const recipients = defineObject<NamedRecipient, typeof ShownRecipient>({
  schema: ShownRecipient,
  since: '2026-11',
  example: {
    recipient_id: 'rcp_06f4t3xet5c77bsdh7wedf8g8s',
    user_id: 3,
    name: 'Siti Rahma',
    kind: 'bank',
    country: 'ID',
    currency: 'IDR',
    details: { bank_code: 'BCA', account_number: '****7890' },
    email: null,
    fingerprint: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
    verification: { result: 'MATCH', suggested_name: null, checked_at: AT, source: 'gateway' },
    usable_from: AT,
    last_paid_at: null,
    reference: 'supplier-12',
    metadata: {},
    version: 1,
    created_at: AT,
    updated_at: AT,
  },
  key: ({ row }) => ({ client_id: row.client_id, user_id: row.user_id, id: recipientIdOf(row) }),
  show: shownRecipient,
}).events('recipient', {
  created: 'A user has added a recipient',
  changed: 'The name, address or account of a recipient was changed',
  verified: 'A bank has said how the name of a recipient compares',
  deleted: 'A recipient can be paid no more',
});

export const RECIPIENT_EVENTS = recipients.types;
export const emitRecipient = recipients.emit;
