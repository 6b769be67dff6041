import { defineInbox, type Inbox } from '#kernel/effects/inbox.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { MessageField } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { CustomerNews, PartnerCustomer, PartnerProvider } from '#providers/partner/port.ts';
import { userOfCustomer } from './store.ts';
import { takeOverCustomer } from './sync.ts';

export type PartnerWebhookDeps = Pick<Kernel, 'inboxes'> & { readonly partner: PartnerProvider };

const endpoint = endpoints(errorEnvelope);

/** The partner repeats a webhook for days, not for weeks. */
const KEPT_MS = 30 * 86_400_000;

/** The partner's calls: each only says that a customer has changed, which is then looked up. */
export function createPartnerWebhook({ inboxes, partner }: PartnerWebhookDeps) {
  const inbox = defineInbox<CustomerNews, PartnerCustomer>({
    source: 'partner',
    keptMs: KEPT_MS,
    ask: ({ customerId }) => partner.customer(customerId),
    async handle(tx, { customerId }, { answer, receivedAt }) {
      const known = await userOfCustomer(tx, customerId);
      if (!known) return 'unknown_customer';
      if (answer?.kind !== 'done') return 'not_found';
      const read = { user_id: known.user_id, current: answer.value, askedAt: receivedAt };
      const { changes } = await takeOverCustomer(tx, read);
      return changes.length > 0 ? 'changed' : 'unchanged';
    },
  });
  return { inbox, route: webhookRoute(inboxes, partner, inbox) };
}

const webhookRoute = (
  inboxes: PartnerWebhookDeps['inboxes'],
  partner: PartnerProvider,
  inbox: Inbox<CustomerNews, PartnerCustomer>,
): Route =>
  endpoint('POST /pspb/webhook', {
    name: 'callbacks.receivePartner',
    auth: 'public',
    summary: 'Webhook of the partner; its signature proves the call',
    // What stands behind a call is its signature, and the partner sends many from one address.
    limit: 'authenticated',
    signed: partner.isGenuine,
    reply: { 200: MessageField },
    atomic: true,
    fault: 'Failed to take the event',
    async handler({ request, db: tx }) {
      const news = partner.readWebhook(request.raw);
      if (news === undefined) return { message: 'Event ignored' };
      const isNew = await inboxes.receive(tx, inbox, news.name, news);
      return { message: isNew ? 'Event received' : 'Event known already' };
    },
  });
