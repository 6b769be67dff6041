import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import { emitCardanoOrder, type OrderStep } from './events.ts';
import type { CardanoOrder } from './store.ts';

/** Writes the audit entry of a step and emits its event, in its transaction; after the request the service is the actor. */
export const recordStep = (
  tx: Db,
  action: OrderStep,
  order: CardanoOrder,
  more: { readonly request?: RequestFacts; readonly details?: object } = {},
): Promise<void> => {
  const { order_id, user_id, client_id, fiat_amount, currency_from } = order;
  const { request, details } = more;
  emitCardanoOrder(tx, action, order);
  return logActivity(tx, {
    action: `CARDANO_${action}`,
    actor: request ? { user_id, client_id } : null,
    client_id,
    subject_user_id: user_id,
    details: { order_id, units: String(fiat_amount), currency: currency_from, ...details },
    ...(request && { request }),
  });
};
