import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { MessageField } from '#kernel/http/declare/schema.ts';
import { parsed } from '#kernel/provider-call.ts';
import type { TryingDeps } from '../deps.ts';
import { isInvoiceReference, receiveInvoiceHint } from './inbox.ts';

const endpoint = endpoints(codedEnvelope);

/** The gateway's call-backs about payments of invoices; those to the address of purchases are passed on. */
export const invoiceCallbackRoute = (deps: TryingDeps): Route =>
  endpoint('POST /payment-gateway/callback', {
    name: 'callbacks.receiveInvoicePayment',
    auth: 'public',
    summary: 'The gateway tells of a payment of an invoice; its token proves the call',
    // The token authenticates the call, and a gateway sends many from one address.
    limit: 'authenticated',
    signed: (_, headers) => deps.gateway.isGenuine(headers),
    reply: { 200: MessageField },
    fault: 'Failed to take the event',
    async handler({ request }) {
      const body = parsed(request.raw.toString('utf8'));
      const news = deps.gateway.readPaymentNotification(body);
      if (!news || !isInvoiceReference(news.reference)) return { message: 'Event ignored' };
      await receiveInvoiceHint(deps, news, true);
      return { message: 'Event received' };
    },
  });
