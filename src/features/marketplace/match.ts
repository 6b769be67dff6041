import type { Order } from './order-store.ts';
import type { Payment, Verdict } from './payment-store.ts';
import type { OrderStatus, Reason } from './states.ts';

/**
 * Which order each payment is for, and what of it is owed back. In the order of the chain: the first
 * payment of an order that is enough pays it. Whatever nobody can tell is owed to whoever paid.
 */
export function judge(payments: readonly Payment[], orders: readonly Order[]): Verdict[] {
  const byId = new Map(orders.map((order) => [order.order_id, order]));
  const statuses = new Map<number, OrderStatus>(
    orders.map(({ serial, payment_status }) => [serial, payment_status]),
  );
  const statusOf = ({ serial }: Order) => statuses.get(serial) ?? 'PENDING';
  return payments.map((payment) => {
    const found =
      payment.kind === 'CONTRACT'
        ? named(payment, byId.get(payment.order_id ?? ''), statusOf)
        : meant(payment, orders, statusOf);
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

type StatusOf = (order: Order) => OrderStatus;

/** Of a payment that names its order: whoever paid, since it says for what. */
function named(payment: Payment, order: Order | undefined, statusOf: StatusOf): Order | Reason {
  if (order === undefined) return 'WRONG_ORDER';
  if (order.chain_id !== payment.chain_id || order.contract_address !== payment.contract)
    return 'WRONG_CHAIN';
  if (order.token_address !== payment.token) return 'WRONG_TOKEN';
  const status = statusOf(order);
  if (status === 'CANCELLED') return 'LATE';
  if (status !== 'PENDING') return 'PAID_ALREADY';
  return payment.units < order.units ? 'UNDERPAID' : order;
}

/**
 * Of a plain transfer, which only says from whom: the oldest order that waits for exactly that from there.
 * Where several users name one wallet it is nobody's, or one of them could have another's goods.
 */
function meant(payment: Payment, orders: readonly Order[], statusOf: StatusOf): Order | Reason {
  const candidates = orders.filter(
    (order) =>
      order.chain_id === payment.chain_id &&
      order.contract_address === payment.contract &&
      order.wallet_address === payment.payer &&
      order.units === payment.units &&
      statusOf(order) === 'PENDING',
  );
  const fitting = candidates.filter(({ token_address }) => token_address === payment.token);
  const [oldest] = fitting;
  if (oldest === undefined) return candidates.length > 0 ? 'WRONG_TOKEN' : 'NO_ORDER';
  return fitting.every(({ user_id }) => user_id === oldest.user_id) ? oldest : 'AMBIGUOUS';
}
