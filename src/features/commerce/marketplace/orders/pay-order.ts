import { type ChainTransaction, findByReference, hasFailed } from '#chains/evm/port.ts';
import { managedAddresses } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { fromRefusal } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import { AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { transact } from '#kernel/transact.ts';
import { findOrder, lockOrder, type MarketplaceOrder, setPaying } from './order-store.ts';
import { type PayDeps, type PayEffect, payReference } from './pay.ts';
import { orderNotFound, wrongStatus } from './states.ts';

export interface PayRequest {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly order_id: string;
}

type Deps = PayDeps & {
  readonly payments: PayEffect;
  follow(order: MarketplaceOrder): Promise<void>;
};

/** How long a second caller waits for the first one's payment. */
const PATIENCE_MS = 20_000;

export interface Paid {
  readonly order: MarketplaceOrder;
  readonly tx: ChainTransaction;
}

/**
 * Pays an order from its user's managed wallet, once, for any number of calls and also where the process of one is
 * killed: the others answer its outcome.
 */
export async function payMarketplaceOrder(deps: Deps, wish: PayRequest): Promise<Paid> {
  const { db, effects, payments } = deps;
  const begun = await begin(deps, wish);
  if (begun !== undefined) {
    const ending = await effects.drive(payments, wish.order_id, {
      owner: wish.operation,
      patienceMs: PATIENCE_MS,
      ...(begun.intent && { intent: begun.intent, secret: 'asked for' as const }),
    });
    if (ending.state === 'refused') throw fromRefusal(ending.why);
    if (ending.state === 'open')
      throw ending.details instanceof AppError
        ? ending.details
        : fail('PROVIDER_UNAVAILABLE', 'The payment is on its way: ask again', { retryAfter: 5 });
  }
  return paidBy(deps, await ownOrder(db, wish));
}

async function ownOrder(
  db: PayDeps['db'],
  { order_id, caller }: PayRequest,
): Promise<MarketplaceOrder> {
  const order = await findOrder(db, order_id, { user_id: caller.user_id });
  if (order === undefined) throw orderNotFound();
  return order;
}

/** With the chain's present state: the caller need not wait for the next poll. */
async function paidBy(deps: Deps, order: MarketplaceOrder): Promise<Paid> {
  const tx = await deps.evm.chains[order.chain_id].sender.find(payReference(order));
  if (tx === undefined) throw wrongStatus(order.payment_status);
  await deps.follow(order);
  const followed = await findOrder(deps.db, order.order_id);
  return { order: followed ?? order, tx };
}

/** Undefined where we have paid it already. The lock keeps the order from expiring meanwhile. */
async function begin(
  deps: Deps,
  wish: PayRequest,
): Promise<{ readonly intent: Intent | undefined } | undefined> {
  const { db, effects, payments } = deps;
  const asked = await ownOrder(db, wish);
  // It may have been paid from elsewhere since the last poll.
  if (asked.payment_status === 'PENDING') await deps.follow(asked);
  const { wallet_address, chain_id, user_id } = asked;
  const [wallet] = await managedAddresses(db, { user_id }, { wallet_address, chain_id });
  if (wallet === undefined && asked.payment_status === 'PENDING')
    throw fail('WALLET_NOT_FOUND', 'The wallet of the order is not managed here');
  return transact(db, async (tx) => {
    const order = await lockOrder(tx, wish.order_id);
    if (order === undefined) throw orderNotFound();
    const effect = await effects.find(tx, payments.kind, order.order_id);
    if (effect?.state === 'OPEN') return { intent: undefined };
    const [sent] = await findByReference(tx, [payReference(order)]);
    if (sent && !hasFailed(sent)) return undefined;
    const isOver = order.expires_at <= deps.clock.now().toISOString();
    if (order.payment_status !== 'PENDING') throw wrongStatus(order.payment_status);
    if (isOver) throw fail('INVALID_STATUS', 'The time to pay this order is over');
    const pay_attempt = order.pay_attempt + (sent ? 1 : 0);
    await setPaying(tx, order.order_id, { is_paying: true, pay_attempt });
    await logActivity(tx, {
      action: 'MARKETPLACE_PAYMENT_ASKED',
      actor: wish.caller,
      subject_user_id: order.user_id,
      details: { order_id: order.order_id },
      request: wish.request,
    });
    const intent = await effects.begin(tx, payments, order.order_id, { owner: wish.operation });
    return { intent };
  });
}
