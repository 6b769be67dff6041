import { spendGatewayCost } from '#features/fiat/payouts/payouts.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { uncovered } from '#kernel/money/cost.ts';
import type { PriceItem } from '#kernel/money/price-list.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import { transact } from '#kernel/transact.ts';
import { invoiceCharge } from '../charge.ts';
import type { TryingDeps } from '../deps.ts';
import { emitInvoicePayment } from '../events.ts';
import { requireMethod } from '../methods.ts';
import { requireOpenInvoice } from '../paid.ts';
import {
  type GatewayMethod,
  type InvoicePayment,
  insertInvoicePayment,
  invoicePaymentOfOperation,
  requireInvoicePayment,
  TRYING,
} from '../payment-store.ts';
import { findInvoice, lockInvoice, type MerchantInvoice } from '../store.ts';
import { signalNews } from './inbox.ts';

/** How long a caller waits for the gateway. */
const PATIENCE_MS = 8000;
/** Tries of one invoice. */
export const TRIES_MAX = 50;

export interface Trying {
  /** Within which the invoice is looked for. */
  readonly scope: TenantScope;
  /** Whom it costs. */
  readonly requester: Requester;
  readonly operation: string;
  readonly invoice_id: string;
  readonly method: GatewayMethod;
}

/**
 * Begins a try to pay all that is owed, once for an operation, and has the gateway asked. An earlier one of the same
 * method is ended first; it goes on where it was paid by then. Throws NOT_FOUND, INVALID_STATUS, METHOD_NOT_AVAILABLE,
 * LIMIT_EXCEEDED, and PROVIDER_UNAVAILABLE where the gateway does not say how the earlier one stands.
 */
export async function beginTry(deps: TryingDeps, trying: Trying): Promise<InvoicePayment> {
  const { db } = deps;
  const known = await invoicePaymentOfOperation(db, trying.operation);
  if (known) return driven(deps, known.object_id);
  await endEarlier(deps, trying);
  const made = await transact(db, (tx) => write(deps, tx, trying));
  return driven(deps, made.object_id);
}

async function driven(deps: TryingDeps, reference: string): Promise<InvoicePayment> {
  await deps.sagas.drive(reference, { patienceMs: PATIENCE_MS });
  return requireInvoicePayment(deps.db, reference);
}

const openOf = ({ payments }: MerchantInvoice, method: GatewayMethod) =>
  payments.find(
    (one) => one.method === method && (TRYING as readonly string[]).includes(one.status),
  );

async function endEarlier(deps: TryingDeps, { scope, invoice_id, method }: Trying): Promise<void> {
  const invoice = requireFound(await findInvoice(deps.db, scope, invoice_id));
  const earlier = openOf(invoice, method);
  if (!earlier) return;
  requireOpenInvoice(deps.clock.now(), invoice);
  await callOff(deps, earlier.object_id);
}

/** Has the gateway end a try, as far as it answers in time. Throws PROVIDER_UNAVAILABLE where it does not. */
export async function callOff(deps: TryingDeps, reference: string): Promise<InvoicePayment> {
  await transact(deps.db, (tx) => signalNews(deps.sagas, tx, reference, { status: 'CANCELLED' }));
  const ended = await driven(deps, reference);
  if ((TRYING as readonly string[]).includes(ended.status)) throw undecided();
  return ended;
}

const undecided = (): AppError =>
  fail('PROVIDER_UNAVAILABLE', 'The payment gateway does not say how the earlier payment stands', {
    retryAfter: 10,
  });

function requireFound(invoice: MerchantInvoice | undefined): MerchantInvoice {
  if (!invoice) throw fail('NOT_FOUND', 'Invoice not found');
  return invoice;
}

/** The row and its flow, in one transaction. */
async function write(deps: TryingDeps, tx: Db, trying: Trying): Promise<InvoicePayment> {
  const { scope, operation, invoice_id, method } = trying;
  const invoice = requireFound(await lockInvoice(tx, scope, invoice_id));
  requireOpenInvoice(deps.clock.now(), invoice);
  if (openOf(invoice, method)) throw fail('CONFLICT', 'Another payment of this method has begun');
  if (invoice.payments.length >= TRIES_MAX)
    throw fail('LIMIT_EXCEEDED', `An invoice has at most ${TRIES_MAX} payments`, { status: 409 });
  const charged = await invoiceCharge(tx, invoice, method);
  await requireMethod(deps, tx, invoice, { method, units: charged.amount });
  await spendTryCost(deps, tx, trying, charged.fee);
  const payment_id = newObjectUuid(deps.clock.ms());
  const object_id = objectId('ipm', payment_id);
  const { client_id, user_id, currency, expires_at } = invoice;
  const payment = await insertInvoicePayment(tx, {
    payment_id,
    object_id,
    operation,
    invoice_id,
    client_id,
    user_id,
    method,
    currency,
    expires_at,
    status: 'REQUIRES_ACTION',
    ...charged,
  });
  if (!payment) throw fail('CONFLICT', 'The request is under way');
  emitInvoicePayment(tx, 'pending', { ...payment, names: namesGiven('payment') });
  const data = { expiresAt: expires_at };
  const drivenForMs = 2 * PATIENCE_MS;
  await deps.sagas.start(tx, deps.trying, { id: object_id, data, drivenForMs });
  return payment;
}

const PRICES = {
  qris: 'gateway.qris',
  va: 'gateway.va',
  ewallet: 'gateway.ewallet',
} as const satisfies Record<GatewayMethod, PriceItem>;

/** What the gateway takes beyond the fee. */
async function spendTryCost(
  deps: TryingDeps,
  tx: Db,
  { requester, method }: Trying,
  fee: bigint,
): Promise<void> {
  const { asset, units } = deps.prices(PRICES[method]);
  const cost = { asset, units: uncovered(units, fee) };
  await spendGatewayCost(tx, deps, { name: 'invoice payments', cost }, requester);
}
