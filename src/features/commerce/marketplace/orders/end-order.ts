import { logActivity } from '#features/messaging/activity/activity.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import type { MarketDeps } from '../deps.ts';
import { emitOrder, emitPayment } from './events.ts';
import { boughtOperation, failedOperation, marketAccounts } from './legs.ts';
import { lockOrder, type MarketplaceOrder, markEnded } from './order-store.ts';
import { lockPaymentOf, oweBack } from './payment-store.ts';
import { orderNotFound, wrongStatus } from './states.ts';

export interface OrderEnd {
  readonly order_id: string;
  readonly end: { readonly vendor_reference: string } | { readonly failure: string };
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

type Deps = Pick<MarketDeps, 'db' | 'clock' | 'evm'>;

/**
 * PAID to COMPLETED, where the goods are bought at the shop, or to FAILED, where they cannot be had and what
 * was paid is owed back. Neither while the chain has taken the payment away, or some of it is going back.
 */
export async function endOrder(deps: Deps, wish: OrderEnd): Promise<MarketplaceOrder> {
  const { order_id, end, caller, request } = wish;
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
    await markEnded(tx, order_id, end, deps.clock.now());
    if (!isBought) {
      const row = await oweBack(tx, payment.payment_id);
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
    const ended = await lockOrder(tx, order_id);
    if (ended === undefined) throw orderNotFound();
    emitOrder(tx, isBought ? 'completed' : 'failed', ended);
    return ended;
  });
}

/** Asked again, it is as it is. */
const isSameEnd = (order: MarketplaceOrder, end: OrderEnd['end']): boolean =>
  'vendor_reference' in end
    ? order.vendor_reference === end.vendor_reference
    : order.failure === end.failure;
