import type { Messages } from '#features/messaging/messages/messages.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import type { WebhookEndpoint } from './endpoint-store.ts';
import { withoutQuery } from './presenters.ts';
import { webhookAddressesOf } from './status-store.ts';
import { ENDPOINT_TEXTS, type EndpointNews } from './texts.ts';

/** Mails the admins of an endpoint, within their limits of mails; the endpoint's status shows the same. */
export async function mailOwners(
  tx: Db,
  messages: Messages,
  endpoint: WebhookEndpoint,
  what: EndpointNews,
): Promise<void> {
  const named = { url: withoutQuery(endpoint.url), endpoint_id: endpoint.endpoint_id };
  const words = inEachLanguage(ENDPOINT_TEXTS, ({ news, after }) => {
    const [subject, text] = news[what];
    return { subject, text: [text, '', ...after(named)] };
  });
  for (const { email, user_id } of await webhookAddressesOf(tx, endpoint.client_id))
    await messages
      .send(tx, THE_SERVICE, {
        kind: 'notice',
        channel: 'email',
        to: email,
        purpose: 'webhook-endpoint',
        words,
        ...(user_id === null ? {} : { user_id }),
      })
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
}
