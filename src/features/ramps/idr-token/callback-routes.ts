import { Type } from 'typebox';
import type { Route } from '#kernel/http/declare/route.ts';
import { flat, Json } from '#kernel/http/declare/schema.ts';
import type { GatewayNotification } from '#providers/gateway/port.ts';
import type { PayingBase } from './deps.ts';
import { idrTokenEndpoint } from './envelope.ts';
import { type PaymentInbox, receivePaymentNotification } from './purchase/notifications.ts';
import { findPaymentOf } from './purchase/store.ts';

export interface IdrTokenCallbackDeps extends PayingBase {
  readonly payments: PaymentInbox;
}

const reply = { 200: flat({ message: Type.String() }) };
const THANKS = { message: 'Callback received' };

/** The gateway tells of payments and bank transfers (decisions: Addresses). */
export const callbackRoutes = (deps: IdrTokenCallbackDeps): Route[] => [
  idrTokenEndpoint('POST /idrtoken/callback/payment', {
    name: 'callbacks.receivePayment',
    auth: 'public',
    summary: 'The gateway tells of a payment; without its token it is only a hint',
    // A gateway sends many from one address.
    limit: 'authenticated',
    body: Json,
    reply,
    fault: 'Failed to take the callback',
    async handler({ body, request: { headers }, db }) {
      const news = deps.gateway.readPaymentNotification(body);
      // Anybody may call: what names nothing of ours is not worth a row.
      const row = news && (await findPaymentOf(db, news.reference));
      if (row)
        await receivePaymentNotification(
          deps,
          deps.payments,
          named(news, row),
          deps.gateway.isGenuine(headers),
        );
      return THANKS;
    },
  }),

  idrTokenEndpoint('POST /idrtoken/callback/transfer', {
    name: 'callbacks.receiveTransfer',
    auth: 'public',
    summary: 'The gateway tells of a bank transfer; without its token it is only a hint',
    limit: 'authenticated',
    body: Json,
    reply,
    fault: 'Failed to take the callback',
    async handler({ body, request: { headers } }) {
      const news = deps.gateway.readPayoutNotification(body);
      if (news) await deps.payouts.receive(news, headers);
      return THANKS;
    },
  }),
];

/** By our own name, whichever the gateway has told. */
const named = (
  news: GatewayNotification,
  { reference_id: reference }: { readonly reference_id: string },
): GatewayNotification => ({ ...news, reference });
