import type { Vocabulary } from '#kernel/openapi/vocabulary.ts';

/** Events, webhooks, tools for models, and what the operator’s people do. */
export const OF_OPERATIONS: Vocabulary['descriptions'] = {
  'events.stream':
    'Users get what concerns them; admins and their keys get everything of their client. The stream ends after 15 minutes: connect again with `Last-Event-ID`, and nothing is missed.',
  'events.list':
    'Users see what concerns them; admins and their keys see everything of their client. A place that is older than the log is 410 `EVENTS_EXPIRED`.',
  'events.listTypes':
    'Any API key may call it. Webhook endpoints name these types; `test.ping` needs no name and is sent by `POST /webhook-endpoints/{endpoint_id}/test`.',
  'webhookEndpoints.create':
    'An admin creates it for the own client, or a key of an admin. The answer shows the secret that signs what is sent. The endpoint gets the types that it names, from now on, at least once each. `webhook_endpoint.created` follows.',
  'webhookEndpoints.list': 'An admin sees those of the own client, or a key of an admin.',
  'mcp.call':
    'A model’s program calls it with the key and the token of the user. The tools do what the endpoints do, with the same limits, and ask the person before money moves.',
  'desk.work':
    'Only an admin of the operator may call it. `needs_person` marks what does not go on by itself; `POST /desk/work/try-again` tries it now.',
  'desk.orders':
    'Only an admin of the operator may call it. `DELETE /users/{user_id}/pending-changes/{change_id}` stops one of them.',
  'desk.timeline':
    'Only an admin of the operator may call it. It takes the reference, id or hash of a payment, an order or a transaction.',
  'adjustments.propose':
    'An admin of the operator proposes it and another one approves it by `POST /adjustments/{adjustment_id}/approve`; nothing is booked before. A proposal without an approval expires after a week. `adjustment.proposed` follows.',
  'adjustments.list': 'Only admins of the operator see them.',
  'reconciliation.listBreaks':
    'An admin sees those of the own client’s transactions, the operator all. A break resolves itself once the other side catches up; `POST /reconciliation/breaks/{break_id}/explain` is for the others.',
};
