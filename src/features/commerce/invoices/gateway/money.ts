import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import { isNotConfigured } from '#kernel/provider-call.ts';
import type { GatewayPayment, PaymentMethod, PaymentReceipt } from '#providers/gateway/port.ts';
import type { InvoiceDeps } from '../deps.ts';
import { type GatewayMethod, requireInvoicePayment } from '../payment-store.ts';
import type { GatewayMoney } from './try.ts';

/** How a try stands at the gateway. REFUSED: it does not take it; NEVER_ASKED: it knows none. */
export type TryState =
  | Pick<GatewayPayment, 'id' | 'paymentUrl' | 'status' | 'accounts'>
  | { readonly status: 'REFUSED' | 'NEVER_ASKED'; readonly why: string };

type Deps = Pick<InvoiceDeps, 'db' | 'clock' | 'gateway'>;

const AT_GATEWAY: Readonly<Record<GatewayMethod, PaymentMethod>> = {
  qris: 'QRIS',
  va: 'VA',
  ewallet: 'EWALLET',
};

/** Asks the gateway for a payment, unless its time is over. */
export async function requestTry(deps: Deps, reference: string): Promise<Outcome<TryState>> {
  const payment = await requireInvoicePayment(deps.db, reference);
  const expiresAt = new Date(payment.expires_at ?? 0);
  if (deps.clock.now() >= expiresAt) {
    const found = await findTry(deps, reference);
    if (found.kind !== 'done') return found;
    return done(found.value ?? { status: 'NEVER_ASKED', why: 'The gateway could not be asked' });
  }
  const answer = await deps.gateway.createPayment({
    reference,
    units: payment.amount,
    method: AT_GATEWAY[payment.method as GatewayMethod],
    expiresAt,
    description: `Invoice ${payment.invoice}`,
    waits: true,
  });
  if (isNotConfigured(answer)) return unknown('The gateway is not configured');
  if (answer.kind !== 'refused') return answer;
  return done({ status: 'REFUSED', why: `${answer.code}: ${answer.message}` });
}

/** The gateway's state of it; undefined where the gateway does not know it. */
export async function findTry(
  { gateway }: Pick<Deps, 'gateway'>,
  reference: string,
): Promise<Outcome<GatewayPayment | undefined>> {
  const found = await gateway.findPayment(reference);
  return isNotConfigured(found) ? unknown('The gateway is not configured') : found;
}

/** Ends it at the gateway; PAID where a payer was faster. Never refused. */
export async function endTry(deps: Deps, reference: string): Promise<Outcome<TryState>> {
  const ended = await deps.gateway.expirePayment(reference);
  if (isNotConfigured(ended)) return unknown('The gateway is not configured');
  if (ended.kind === 'unknown') return ended;
  if (ended.kind === 'done' && ended.value.status !== 'PENDING') return ended;
  const found = await findTry(deps, reference);
  if (found.kind !== 'done') return unknown('The gateway does not end the payment');
  if (found.value === undefined)
    return done({ status: 'NEVER_ASKED', why: 'The gateway knows no such payment' });
  return found.value.status === 'PENDING'
    ? unknown('The gateway does not end the payment')
    : done(found.value);
}

/** The payment and its money; undefined where there is no such try. */
export async function findGatewayMoney(
  deps: Deps,
  reference: string,
): Promise<Outcome<GatewayMoney>> {
  const payment = await findTry(deps, reference);
  if (payment.kind !== 'done') return payment;
  const receipts = await deps.gateway.receipts(reference);
  if (isNotConfigured(receipts)) return unknown('The gateway is not configured');
  if (receipts.kind !== 'done') return receipts;
  return done({ payment: payment.value, receipts: receipts.value });
}

/** What was paid, once the gateway's books have it. */
export async function findReceipts(
  deps: Deps,
  reference: string,
): Promise<Outcome<readonly PaymentReceipt[]>> {
  const money = await findGatewayMoney(deps, reference);
  if (money.kind !== 'done') return money;
  const { receipts } = money.value;
  return receipts.length > 0 ? done(receipts) : unknown('The gateway does not show its money yet');
}
