import { createHash } from 'node:crypto';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { format } from '#kernel/money/money.ts';
import { invoiceCharge } from '../charge.ts';
import type { TryingDeps } from '../deps.ts';
import { fitsMethod, offeredMethods } from '../methods.ts';
import type { InvoiceMethod, InvoicePayment } from '../payment-store.ts';
import { actionOf } from '../presenters.ts';
import type { MerchantInvoice } from '../store.ts';

/** What a payer sees of an invoice. `CHECKING`: money may be on its way. */
export const CHECKOUT_STATUSES = [
  ...(['OPEN', 'CHECKING', 'PARTIALLY_PAID', 'PAID', 'EXPIRED', 'CANCELLED'] as const),
] as const;
type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number];

interface Way {
  readonly method: InvoiceMethod;
  /** With the fee that the payer bears. */
  readonly amount: string;
}

/** A try that is open, and what its payer has to do. */
interface OpenTry {
  readonly payment_id: string;
  readonly method: InvoiceMethod;
  readonly amount: string;
  readonly action: ReturnType<typeof actionOf>;
}

export interface InvoiceCheckout {
  readonly status: CheckoutStatus;
  readonly currency: Fiat;
  readonly to_pay: string;
  readonly paid_amount: string;
  readonly ways: readonly Way[];
  readonly tries: readonly OpenTry[];
  /** Whether the last try has failed, and there is none since. */
  readonly has_failed: boolean;
}

/** What the page shows of the moment, by the server's own amounts. */
export async function checkoutOf(
  deps: Pick<TryingDeps, 'clock' | 'isGatewayReady' | 'isCardReady'>,
  db: Db,
  invoice: MerchantInvoice,
): Promise<InvoiceCheckout> {
  const { currency, amount, paid, payments } = invoice;
  const money = (units: bigint) => format({ asset: currency, units });
  const status = statusOf(invoice, deps.clock.now());
  const isOpen = status === 'OPEN' || status === 'PARTIALLY_PAID';
  const tries = payments.filter(isOpenTry);
  return {
    status,
    currency,
    to_pay: money(amount - paid),
    paid_amount: money(paid),
    ways: isOpen ? await waysOf(deps, db, invoice) : [],
    tries: isOpen ? tries.map((one) => shownTry(one)).reverse() : [],
    has_failed: isOpen && tries.length === 0 && payments.at(-1)?.status === 'FAILED',
  };
}

const isOpenTry = ({ status }: InvoicePayment): boolean => status === 'REQUIRES_ACTION';

/** Past its time an invoice ends once its tries have: until then the page waits for that. */
function statusOf({ status, expires_at, open_tries }: MerchantInvoice, now: Date): CheckoutStatus {
  if (status === 'PROCESSING') return 'CHECKING';
  if (status !== 'OPEN' && status !== 'PARTIALLY_PAID') return status;
  if (expires_at > now.toISOString()) return status;
  return open_tries > 0 ? 'CHECKING' : 'EXPIRED';
}

async function waysOf(
  deps: Pick<TryingDeps, 'isGatewayReady' | 'isCardReady'>,
  db: Db,
  invoice: MerchantInvoice,
): Promise<Way[]> {
  const { client_id, currency, methods: among } = invoice;
  const offered = await offeredMethods(deps, db, { client_id, currency, units: undefined, among });
  const ways: Way[] = [];
  for (const rules of offered) {
    const { method } = rules;
    const charged = await invoiceCharge(db, invoice, method);
    const amount = format({ asset: currency, units: charged.amount });
    if (fitsMethod(rules, charged.amount)) ways.push({ method, amount });
  }
  return ways;
}

function shownTry(payment: InvoicePayment): OpenTry {
  const { object_id: payment_id, method, currency, amount } = payment;
  const money = format({ asset: currency, units: amount });
  return { payment_id, method, amount: money, action: actionOf(payment) };
}

/** By which a page knows whether there is something new. */
export const markOf = (checkout: InvoiceCheckout): string =>
  createHash('sha256').update(JSON.stringify(checkout)).digest('hex').slice(0, 16);

/** Where nothing more changes. */
export const isOver = ({ status }: InvoiceCheckout): boolean =>
  status === 'PAID' || status === 'EXPIRED' || status === 'CANCELLED';
