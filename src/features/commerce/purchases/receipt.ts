import { THE_SERVICE } from '#kernel/access/requester.ts';
import { userInScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import { inEachLanguage, localAmount } from '#kernel/localised.ts';
import type { OrderDeps } from './deps.ts';
import type { PurchaseOrder } from './store.ts';
import { RECEIPT_TEXTS } from './texts.ts';

/**
 * Queues the receipt in the transaction that completes the order, so that there is exactly one. False where the buyer
 * has no e-mail address, or the day's quota is used up: the order completes all the same.
 */
export async function sendReceipt(
  { messages }: Pick<OrderDeps, 'messages'>,
  tx: Db,
  order: PurchaseOrder,
): Promise<boolean> {
  const { order_id, user_id, product, recipient, usdc_units, payment_tx_hash } = order;
  const user = await userInScope(tx, { user_id }, user_id);
  if (!user?.email) return false;
  try {
    const sent = await messages.send(tx, THE_SERVICE, {
      kind: 'notice',
      channel: 'email',
      to: user.email,
      purpose: 'purchase-receipt',
      user_id,
      words: inEachLanguage(RECEIPT_TEXTS, (words, language) =>
        words({
          order_id,
          product: product.title,
          shop: product.site ?? product.url ?? '-',
          price: localAmount(language, { asset: order.price_asset, units: order.price_units }),
          paid: localAmount(language, { asset: 'USDC', units: usdc_units }),
          network: order.chain_info.chain_name,
          hash: payment_tx_hash,
          recipient: `${recipient.name}, ${recipient.address}`,
        }),
      ),
    });
    return sent !== undefined;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
