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

/** Call-backs of the gateway about payments and bank transfers (decisions: Addresses). */
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
      const notification = deps.gateway.readPaymentNotification(body);
      const taker = notification && deps.payouts.incoming.takerOf(notification.reference);
      if (taker) {
        await taker.receive(notification, deps.gateway.isGenuine(headers));
        return THANKS;
      }
      // Anyone may call: a call-back about an unknown payment is not stored.
      const row = notification && (await findPaymentOf(db, notification.reference));
      if (row)
        await receivePaymentNotification(
          deps,
          deps.payments,
          named(notification, row),
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
      const notification = deps.gateway.readPayoutNotification(body);
      if (notification) await deps.payouts.receive(notification, headers);
      return THANKS;
    },
  }),
];

/** By our reference, also where the gateway has named its own id. */
const named = (
  notification: GatewayNotification,
  { reference_id: reference }: { readonly reference_id: string },
): GatewayNotification => ({ ...notification, reference });
