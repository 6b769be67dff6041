import { logActivity } from '#features/messaging/activity/activity.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import type { MarketDeps } from '../deps.ts';
import { emitOrder, emitPayment } from './events.ts';
import { boughtOperation, failedOperation, marketAccounts } from './legs.ts';
import {
  completeMarketOrder,
  failMarketOrder,
  lockOrder,
  type MarketplaceOrder,
} from './order-store.ts';
import { lockPaymentOf, owePayer } from './payment-store.ts';
import { orderNotFound, wrongStatus } from './states.ts';

export interface OrderEnd {
  readonly order_id: string;
  readonly end: { readonly vendor_reference: string } | { readonly failure: string };
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

type Deps = Pick<MarketDeps, 'db' | 'clock' | 'evm'>;

/**
 * PAID to COMPLETED where the goods are bought at the shop, or to FAILED where they cannot be had and the payment is
 * owed back. Neither while the payment is orphaned or a refund of it is in flight.
 */
export async function endOrder(deps: Deps, input: OrderEnd): Promise<MarketplaceOrder> {
  const { order_id, end, caller, request } = input;
  return transact(deps.db, async (tx) => {
    const order = await lockOrder(tx, order_id);
    if (order === undefined) throw orderNotFound();
    if (isSameEnd(order, end)) return order;
    const payment = await lockPaymentOf(tx, order.serial);
    if (order.payment_status !== 'PAID' || payment === undefined)
      throw wrongStatus(order.payment_status);
    if (payment.adrift_until !== null || payment.refund === 'SENDING')
      throw fail('CONFLICT', 'The payment is not settled at the moment: try again later');
    const isBought = 'vendor_reference' in end;
    const ended =
      'vendor_reference' in end
        ? await completeMarketOrder(tx, order_id, end.vendor_reference, deps.clock.now())
        : await failMarketOrder(tx, order_id, end.failure);
    if (!isBought) {
      const row = await owePayer(tx, payment.payment_id);
      emitPayment(tx, 'undelivered', { evm: deps.evm, row });
    }
    await logActivity(tx, {
      action: isBought ? 'MARKETPLACE_ORDER_COMPLETED' : 'MARKETPLACE_ORDER_FAILED',
      actor: caller,
      client_id: order.client_id,
      subject_user_id: order.user_id,
      details: { order_id, ...end },
      request,
    });
    const operation = isBought ? boughtOperation : failedOperation;
    const accounts = await marketAccounts(tx, 'USDC');
    await postWithin(tx, operation(order_id, order.units, accounts));
    emitOrder(tx, isBought ? 'completed' : 'failed', ended);
    return ended;
  });
}

/** A repetition of the request that ended it. */
const isSameEnd = (order: MarketplaceOrder, end: OrderEnd['end']): boolean =>
  'vendor_reference' in end
    ? order.vendor_reference === end.vendor_reference
    : order.failure === end.failure;
