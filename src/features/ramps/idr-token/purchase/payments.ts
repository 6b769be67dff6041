import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import { isNotConfigured } from '#kernel/provider-call.ts';
import type { GatewayPayment } from '#providers/gateway/port.ts';
import type { IdrBase } from '../deps.ts';
import { type Mint, mintOf } from './store.ts';

/** A payment as it counts here. MISMATCHED: it is paid with another sum. */
export type CheckedPayment = Omit<GatewayPayment, 'status'> & {
  readonly status: GatewayPayment['status'] | 'MISMATCHED';
};

/** The state of a payment. REFUSED: the gateway does not take it. */
export type PaymentState =
  | Pick<CheckedPayment, 'id' | 'paymentUrl' | 'status' | 'units'>
  | { readonly status: 'REFUSED' | 'NEVER_ASKED'; readonly why: string };

type Deps = Pick<IdrBase, 'db' | 'clock' | 'gateway' | 'issuer' | 'log'>;

/** Requests the payment of a purchase at the gateway, unless its time is over. */
export async function requestPayment(
  deps: Deps,
  reference: string,
): Promise<Outcome<PaymentState>> {
  const mint = await mintOf(deps.db, reference);
  const expiresAt = new Date(mint.expired_at);
  if (deps.clock.now() >= expiresAt) {
    const found = await findIdrTokenPayment(deps, reference);
    return found.kind === 'done'
      ? done(found.value ?? { status: 'NEVER_ASKED', why: 'The gateway could not be asked' })
      : found;
  }
  const answer = await deps.issuer.requestPayment(mint, {
    reference,
    units: mint.total_amount_idr,
    method: mint.payment_method,
    expiresAt,
    description: `IDR token ${reference}`,
  });
  if (isNotConfigured(answer) || answer.kind !== 'refused') return verifyAmount(deps, mint, answer);
  return done({ status: 'REFUSED', why: `${answer.code}: ${answer.message}` });
}

/** The gateway's state of it; undefined where the gateway does not know it. */
export async function findIdrTokenPayment(
  deps: Deps,
  reference: string,
): Promise<Outcome<CheckedPayment | undefined>> {
  const mint = await mintOf(deps.db, reference);
  return verifyAmount(deps, mint, await deps.gateway.findPayment(reference, knownAtGateway(mint)));
}

/** The gateway's own name of its payment: some gateways find it by that alone. */
export const knownAtGateway = ({ gateway_payment_id }: Mint): string | undefined =>
  gateway_payment_id ?? undefined;

/** Ends the payment; PAID where a payer was faster. Never refused. */
export async function expireIdrTokenPayment(
  deps: Deps,
  reference: string,
): Promise<Outcome<PaymentState>> {
  const mint = await mintOf(deps.db, reference);
  const expired = await verifyAmount(
    deps,
    mint,
    await deps.gateway.expirePayment(reference, knownAtGateway(mint)),
  );
  if (expired.kind === 'done' && expired.value.status !== 'PENDING') return expired;
  if (expired.kind === 'unknown') return expired;
  const found = await findIdrTokenPayment(deps, reference);
  if (found.kind !== 'done') return unknown('The gateway does not end the payment');
  if (found.value === undefined)
    return done({ status: 'NEVER_ASKED', why: 'The gateway knows no such payment' });
  return found.value.status === 'PENDING'
    ? unknown('The gateway does not end the payment')
    : done(found.value);
}

/** Another sum does not pay the purchase: it is booked by itself, for a person to decide (`bookReceipts`). */
function verifyAmount<T extends GatewayPayment | undefined>(
  { log, issuer }: Deps,
  mint: Mint,
  outcome: Outcome<T>,
): Outcome<CheckedPayment | (T & undefined)> {
  if (isNotConfigured(outcome)) return unknown('The gateway is not configured');
  if (outcome.kind !== 'done' || outcome.value === undefined)
    return outcome as Outcome<T & undefined>;
  const payment: GatewayPayment = outcome.value;
  const { reference_id: reference } = mint;
  const { units, status } = payment;
  if (issuer.isPrice(mint, units)) return done(payment);
  if (status !== 'PENDING')
    return done(status === 'PAID' ? { ...payment, status: 'MISMATCHED' } : payment);
  log.error({ reference }, 'The gateway charges another sum than was requested');
  return unknown('The gateway charges another sum than was requested');
}
