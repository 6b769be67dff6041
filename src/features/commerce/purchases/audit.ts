import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { format } from '#kernel/money/money.ts';
import { emitPurchase } from './events.ts';
import type { PurchaseOrder } from './store.ts';

/** The events of the steps. */
const EVENT_OF_STEP = {
  ORDERED: 'created',
  CONFIRMED: 'confirmed',
  PAID: 'paid',
  COMPLETED: 'completed',
  FAILED: 'failed',
  REFUNDING: 'refund_started',
  REFUNDED: 'refunded',
} as const;

/**
 * Logs and emits a step, with the order after it. `asked` is the user's request; undefined where the flow went on by
 * itself.
 */
export const notePurchaseStep = async (
  tx: Db,
  step: keyof typeof EVENT_OF_STEP,
  order: PurchaseOrder,
  asked?: { readonly caller: UserCaller; readonly request: RequestFacts },
): Promise<void> => {
  emitPurchase(tx, EVENT_OF_STEP[step], order);
  await logActivity(tx, {
    action: `PURCHASE_${step}`,
    actor: asked?.caller ?? null,
    client_id: order.client_id,
    subject_user_id: order.user_id,
    details: {
      order_id: order.order_id,
      chain_id: order.chain_id,
      status: order.status,
      usdc: format({ asset: 'USDC', units: order.usdc_units }),
      ...(order.payment_tx_hash !== null && { tx_hash: order.payment_tx_hash }),
      ...(order.failure !== null && { failure: order.failure }),
    },
    ...(asked && { request: asked.request }),
  });
};
