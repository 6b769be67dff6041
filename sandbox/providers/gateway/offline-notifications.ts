import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { GatewayNotification, GatewayPayment, Payout } from '#providers/gateway/port.ts';
import { paymentNotification, payoutNotification } from '#providers/gateway/xendit-wire.ts';
import { mintNotification, redeemNotification } from '#providers/idrx/wire.ts';

/** The contract leaves call-backs open: in mock mode a reference and a status are enough. */
const Plain = Type.Object({
  reference_id: Type.String({ minLength: 1, maxLength: 255 }),
  status: Type.String({ maxLength: 50 }),
});

const GOOD = ['PAID', 'SETTLED', 'SUCCESS', 'SUCCEEDED', 'SUCCESS_RECEIVED', 'COMPLETED'];
const PAYMENTS: ReadonlyMap<string, GatewayPayment['status']> = new Map([
  ...GOOD.map((word) => [word, 'PAID'] as const),
  ['EXPIRED', 'EXPIRED'],
  ['CANCELLED', 'EXPIRED'],
]);
const PAYOUTS: ReadonlyMap<string, Payout['status']> = new Map([
  ...GOOD.map((word) => [word, 'COMPLETED'] as const),
  ['FAILED', 'FAILED'],
  ['REVERSED', 'FAILED'],
]);

/** In the words of either gateway, or plainly: `{reference_id, status}`. */
export const offlinePaymentNotification = (
  body: unknown,
): GatewayNotification<GatewayPayment['status']> | undefined =>
  paymentNotification(body) ?? mintNotification(body) ?? plain(body, PAYMENTS);

export const offlinePayoutNotification = (
  body: unknown,
): GatewayNotification<Payout['status']> | undefined =>
  payoutNotification(body) ?? redeemNotification(body) ?? plain(body, PAYOUTS);

function plain<S extends string>(
  body: unknown,
  words: ReadonlyMap<string, S>,
): GatewayNotification<S> | undefined {
  if (!Value.Check(Plain, body)) return undefined;
  const { reference_id: reference } = body;
  const status = words.get(body.status.toUpperCase());
  return status && { event: `${reference}:${status}`, reference, status };
}
