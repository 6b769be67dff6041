import type { MarketplaceOrder } from './order-store.ts';
import type { MarketplacePayment, PaymentMatch } from './payment-store.ts';
import type { OrderStatus, Reason } from './states.ts';

/**
 * Assigns each payment to its order, and says what is owed back to the payer. In the order of the chain: the first
 * sufficient payment of an order pays it, and an ambiguous payment is owed to its payer. `owners` has the users of
 * payers' wallets, as far as they are known: a user's plain transfer pays no order of another user.
 */
export function matchPayments(
  payments: readonly MarketplacePayment[],
  orders: readonly MarketplaceOrder[],
  owners: ReadonlyMap<string, number>,
): PaymentMatch[] {
  const byId = new Map(orders.map((order) => [order.order_id, order]));
  const statuses = new Map<number, OrderStatus>(
    orders.map(({ serial, payment_status }) => [serial, payment_status]),
  );
  const statusOf = ({ serial }: MarketplaceOrder) => statuses.get(serial) ?? 'PENDING';
  const isOwn = ({ wallet_address, user_id }: MarketplaceOrder) =>
    (owners.get(wallet_address) ?? user_id) === user_id;
  const unpaid = orders.filter((order) => statusOf(order) === 'PENDING' && isOwn(order));
  const waiting = Map.groupBy(unpaid, (order) => sumOf(order.wallet_address, order));
  return payments.map((payment) => {
    if (payment.applied_units > 0n) return asBefore(payment);
    const queue = waiting.get(sumOf(payment.payer, freeOf(payment))) ?? [];
    const found =
      payment.kind === 'CONTRACT'
        ? matchNamed(payment, byId.get(payment.order_id ?? ''), statusOf)
        : matchTransfer(payment, queue, statusOf);
    if (typeof found === 'string')
      return { payment, applied: 0n, owed: payment.units, reason: found };
    statuses.set(found.serial, 'PAID');
    const owed = payment.units - found.units;
    return {
      payment,
      order: found,
      applied: found.units,
      owed,
      ...(owed > 0n && { reason: 'OVERPAID' as const }),
    };
  });
}

/** The rest of a payment that was refunded in part before the chain dropped it and brought it back. */
const freeOf = ({ chain_id, units, sent_units }: MarketplacePayment) => ({
  chain_id,
  units: units - sent_units,
});

/** A payment that is on chain again after its goods were bought. */
function asBefore(payment: MarketplacePayment): PaymentMatch {
  const { applied_units: applied, units, reason } = payment;
  const owed = units - applied;
  return { payment, applied, owed, ...(owed > 0n && { reason: reason ?? 'OVERPAID' }) };
}

type StatusOf = (order: MarketplaceOrder) => OrderStatus;

/** For a payment that names its order, from any payer. */
function matchNamed(
  payment: MarketplacePayment,
  order: MarketplaceOrder | undefined,
  statusOf: StatusOf,
): MarketplaceOrder | Reason {
  if (order === undefined) return 'WRONG_ORDER';
  if (order.chain_id !== payment.chain_id || order.contract_address !== payment.contract)
    return 'WRONG_CHAIN';
  if (order.token_address !== payment.token) return 'WRONG_TOKEN';
  const status = statusOf(order);
  if (status === 'CANCELLED') return 'LATE';
  if (status !== 'PENDING') return 'PAID_ALREADY';
  return freeOf(payment).units < order.units ? 'UNDERPAID' : order;
}

/** A key of payer's wallet, chain and amount. */
const sumOf = (
  wallet: string,
  { chain_id, units }: Pick<MarketplaceOrder, 'chain_id' | 'units'>,
): string => `${chain_id} ${wallet} ${units}`;

/**
 * For a plain transfer, which only names its payer: the oldest order that waits for exactly that amount from that
 * wallet. AMBIGUOUS where several users name an unproven wallet, or one could get another's goods.
 */
function matchTransfer(
  payment: MarketplacePayment,
  queue: MarketplaceOrder[],
  statusOf: StatusOf,
): MarketplaceOrder | Reason {
  // Paid orders leave the front of the queue, so that each is passed once.
  while (queue[0] && statusOf(queue[0]) !== 'PENDING') queue.shift();
  const [oldest] = queue;
  if (oldest === undefined) return 'NO_ORDER';
  const { contract_address, token_address, user_id } = oldest;
  if (contract_address !== payment.contract) return 'NO_ORDER';
  if (token_address !== payment.token) return 'WRONG_TOKEN';
  const isShared = queue.some((one) => one.user_id !== user_id && statusOf(one) === 'PENDING');
  return isShared ? 'AMBIGUOUS' : oldest;
}
