import type { MarketplaceOrder } from './order-store.ts';
import type { MarketplacePayment, MarketplaceVerdict } from './payment-store.ts';
import type { OrderStatus, Reason } from './states.ts';

/**
 * Which order each payment is for, and what of it is owed back. In the order of the chain: the first
 * payment of an order that is enough pays it. Whatever nobody can tell is owed to whoever paid. `owners` says whose
 * the payers' wallets are, where that is known: their plain transfers are for no order of another user.
 */
export function judge(
  payments: readonly MarketplacePayment[],
  orders: readonly MarketplaceOrder[],
  owners: ReadonlyMap<string, number>,
): MarketplaceVerdict[] {
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
        ? named(payment, byId.get(payment.order_id ?? ''), statusOf)
        : meant(payment, queue, statusOf);
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

/** What is left of a payment that was sent back in part before the chain dropped it and brought it back. */
const freeOf = ({ chain_id, units, sent_units }: MarketplacePayment) => ({
  chain_id,
  units: units - sent_units,
});

/** It is on chain again, and its goods were bought already. */
function asBefore(payment: MarketplacePayment): MarketplaceVerdict {
  const { applied_units: applied, units, reason } = payment;
  const owed = units - applied;
  return { payment, applied, owed, ...(owed > 0n && { reason: reason ?? 'OVERPAID' }) };
}

type StatusOf = (order: MarketplaceOrder) => OrderStatus;

/** Of a payment that names its order: whoever paid, since it says for what. */
function named(
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

/** From which wallet how much comes, or is waited for. */
const sumOf = (
  wallet: string,
  { chain_id, units }: Pick<MarketplaceOrder, 'chain_id' | 'units'>,
): string => `${chain_id} ${wallet} ${units}`;

/**
 * Of a plain transfer, which only says from whom: the oldest order that waits for exactly that from there.
 * Where several users name a wallet that none has proven it is nobody's, or one of them could have another's goods.
 */
function meant(
  payment: MarketplacePayment,
  queue: MarketplaceOrder[],
  statusOf: StatusOf,
): MarketplaceOrder | Reason {
  // The paid ones at its front are passed once, however many transfers come.
  while (queue[0] && statusOf(queue[0]) !== 'PENDING') queue.shift();
  const [oldest] = queue;
  if (oldest === undefined) return 'NO_ORDER';
  const { contract_address, token_address, user_id } = oldest;
  if (contract_address !== payment.contract) return 'NO_ORDER';
  if (token_address !== payment.token) return 'WRONG_TOKEN';
  const isShared = queue.some((one) => one.user_id !== user_id && statusOf(one) === 'PENDING');
  return isShared ? 'AMBIGUOUS' : oldest;
}
