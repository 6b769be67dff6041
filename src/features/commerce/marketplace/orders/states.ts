import { type AppError, fail } from '#kernel/error.ts';

/** The contract's statuses of an order. */
export const ORDER_STATUSES = ['PENDING', 'PAID', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Why a payment is owed to its payer. */
export type Reason =
  | 'WRONG_ORDER'
  | 'WRONG_TOKEN'
  | 'WRONG_CHAIN'
  | 'UNDERPAID'
  | 'OVERPAID'
  | 'PAID_ALREADY'
  | 'LATE'
  | 'NO_ORDER'
  | 'AMBIGUOUS'
  | 'NOT_DELIVERED';

export const orderNotFound = (): AppError => fail('NOT_FOUND', 'Order not found');
export const accessDenied = (): AppError => fail('ACCESS_DENIED', 'Access denied');

/** The order's status does not allow the act. */
export const wrongStatus = (payment_status: string): AppError =>
  fail('INVALID_STATUS', `The order is ${payment_status}`, { details: { payment_status } });
