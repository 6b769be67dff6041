import { Type } from 'typebox';
import type { Clock } from '#kernel/clock.ts';
import { done, type Outcome, refused, unknown } from '../../kernel/provider-call.ts';
import { createAtGatewayOnce } from './create-once.ts';
import type { GatewayPayment, PaymentRequest } from './port.ts';
import { STRANGE, understood, type XenditCall } from './xendit-call.ts';
import { CENTS, CHANNELS, Invoice, paymentOf, rupiahOf } from './xendit-wire.ts';

const Invoices = Type.Array(Invoice);
/** Only lost answers leave more than one behind. */
const EXPIRE_ROUNDS = 5;

/**
 * An invoice under our reference, for one way to pay. Xendit makes another one for each request, so a caller that repeats
 * looks first; of two that concurrent attempts made, the oldest counts, and both end together.
 */
export async function createPayment(
  ask: XenditCall,
  clock: Clock,
  request: PaymentRequest,
): Promise<Outcome<GatewayPayment>> {
  const amount = rupiahOf(request.units);
  if (amount === undefined) return CENTS;
  const { reference, units } = request;
  return createAtGatewayOnce({
    create: () => post(ask, clock, request, amount),
    find: () => findPayment(ask, reference),
    isThis: (made) =>
      made.reference === reference && (made.status === 'PAID' || made.units === units),
  });
}

async function post(
  ask: XenditCall,
  clock: Clock,
  { reference, method, expiresAt, description }: PaymentRequest,
  amount: number,
): Promise<Outcome<GatewayPayment>> {
  const seconds = Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000);
  if (seconds < 1) return refused('EXPIRED', 'The time to pay is over', 400);
  const made = await ask(Invoice, {
    name: 'create invoice',
    method: 'POST',
    path: '/v2/invoices',
    idempotencyKey: reference,
    body: {
      external_id: reference,
      amount,
      currency: 'IDR',
      description,
      invoice_duration: seconds,
      payment_methods: CHANNELS[method],
    },
  });
  return made.kind === 'done' ? understood(paymentOf(made.value)) : made;
}

export async function findPayment(
  ask: XenditCall,
  reference: string,
): Promise<Outcome<GatewayPayment | undefined>> {
  const path = `/v2/invoices?${new URLSearchParams({ external_id: reference })}`;
  const listed = await ask(Invoices, { name: 'find invoice', method: 'GET', path });
  if (listed.kind !== 'done') return listed;
  const own = listed.value.filter(({ external_id }) => external_id === reference);
  if (own.length === 0)
    return listed.value.length === 0 ? done(undefined) : unknown('answered other invoices');
  const known = own.map(paymentOf).filter((payment) => payment !== undefined);
  return known.length === own.length ? done(foremost(known)) : unknown(STRANGE);
}

/** The paid one; else the oldest payable one; else any. Xendit lists the newest first. */
function foremost(payments: readonly GatewayPayment[]): GatewayPayment | undefined {
  const oldestFirst = payments.toReversed();
  const first = (status: GatewayPayment['status']) =>
    oldestFirst.find((one) => one.status === status);
  return first('PAID') ?? first('PENDING') ?? first('EXPIRED');
}

/** Every one of the reference: an answer that got lost may have left a second one behind. */
export async function expirePayment(
  ask: XenditCall,
  reference: string,
): Promise<Outcome<GatewayPayment>> {
  for (let round = 1; ; round += 1) {
    const found = await findPayment(ask, reference);
    if (found.kind !== 'done') return found;
    const payment = found.value;
    if (payment === undefined)
      return refused('INVOICE_NOT_FOUND_ERROR', 'There is no such payment', 404);
    if (payment.status !== 'PENDING') return done(payment);
    if (round > EXPIRE_ROUNDS) return unknown('it can still be paid');
    const path = `/invoices/${encodeURIComponent(payment.id)}/expire!`;
    const ended = await ask(Invoice, { name: 'expire invoice', method: 'POST', path });
    if (ended.kind === 'unknown') return ended;
  }
}
