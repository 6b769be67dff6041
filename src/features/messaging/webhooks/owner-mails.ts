import type { Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import type { Line } from '#kernel/wording.ts';
import type { WebhookEndpoint } from './endpoint-store.ts';
import { withoutQuery } from './presenters.ts';
import { webhookAddressesOf } from './status-store.ts';

type What = 'first' | 'second' | 'gone' | 'failing' | 'not_public';

interface Saying {
  readonly subject: string;
  readonly text: string;
}

const DISABLED = 'Your webhook endpoint was disabled';
const SAYINGS: Readonly<Record<What, Saying>> = {
  first: {
    subject: 'Your webhook endpoint has failed for an hour',
    text: 'Every request to this endpoint has failed for an hour. It is probed every half hour.',
  },
  second: {
    subject: 'Your webhook endpoint has failed for a day',
    text: 'Every request to this endpoint has failed for a day. After five days it is disabled.',
  },
  failing: {
    subject: DISABLED,
    text: 'Every request to this endpoint has failed for five days, so it was disabled.',
  },
  gone: { subject: DISABLED, text: 'This endpoint has answered 410 Gone, so it was disabled.' },
  not_public: {
    subject: DISABLED,
    text: 'The address of this endpoint leads to a network that is not public, so it was disabled.',
  },
};

/** Mails the admins of an endpoint, within their limits of mails; the endpoint's status shows the same. */
export async function mailOwners(
  tx: Db,
  messages: Messages,
  endpoint: WebhookEndpoint,
  what: What,
): Promise<void> {
  const { subject, text } = SAYINGS[what];
  const lines: Line[] = [
    text,
    '',
    `Endpoint: ${withoutQuery(endpoint.url)}`,
    `Its id: ${endpoint.endpoint_id}`,
    '',
    'Nothing is lost: it keeps its place in the log of events, and goes on from there once it answers or is resumed, as far back as events are kept.',
  ];
  for (const { email, user_id } of await webhookAddressesOf(tx, endpoint.client_id))
    await messages
      .send(tx, THE_SERVICE, {
        kind: 'notice',
        channel: 'email',
        to: email,
        purpose: 'webhook-endpoint',
        subject,
        text: lines,
        ...(user_id === null ? {} : { user_id }),
      })
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
}
