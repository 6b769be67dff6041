import { AppError, fail } from '#kernel/error.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import { HOUR_MS, type QuotaRule } from '#kernel/quota/quota.ts';
import { payByCard } from '../card/pay.ts';
import { readTypedCard, type TypedCard } from '../card/typed.ts';
import type { TryingDeps } from '../deps.ts';
import { beginTry, callOff } from '../gateway/start.ts';
import { type GatewayMethod, type InvoicePayment, TRYING } from '../payment-store.ts';
import type { MerchantInvoice } from '../store.ts';

/** Payments that are begun on pages: by people we do not know, so that networks and clients have their share. */
const PAGE_PAYMENTS: QuotaRule = {
  name: 'payments on pages',
  limits: [
    { per: 'network', withinMs: HOUR_MS, most: 60 },
    { per: 'client', withinMs: HOUR_MS, most: 20_000, strangers: 300 },
  ],
};

interface Pressed {
  readonly ip: string;
  readonly operation: string;
  readonly method: GatewayMethod;
}

/** A press of a way to pay. One that is open already is shown again. Throws what `beginTry` does, and RATE_LIMITED. */
export async function payOnPage(
  deps: TryingDeps,
  { invoice_id, client_id, payments }: MerchantInvoice,
  { ip, operation, method }: Pressed,
): Promise<undefined> {
  if (payments.some((one) => one.method === method && isOpen(one))) return;
  const requester = { ip, client_id };
  await deps.quotas.spend(deps.db, PAGE_PAYMENTS, requester);
  await beginTry(deps, { scope: { client_id }, requester, operation, invoice_id, method });
}

interface CardPressed extends Omit<Pressed, 'method' | 'ip'> {
  readonly request: RequestFacts;
  readonly typed: TypedCard;
}

/** What was wrong, for the page. */
export interface PageFlaw {
  readonly code: string;
  readonly status: number;
}

/** A card that was typed. Throws what `payByCard` does; where the network has not said, the page waits for it. */
export async function payCardOnPage(
  deps: TryingDeps,
  { invoice_id, client_id }: MerchantInvoice,
  { request, operation, typed }: CardPressed,
): Promise<PageFlaw | undefined> {
  const card = readTypedCard(deps, typed);
  if (typeof card === 'string') return { code: card, status: 400 };
  const requester = { ip: request.ip, client_id };
  await deps.quotas.spend(deps.db, PAGE_PAYMENTS, requester);
  try {
    await payByCard(deps, { invoice_id, requester, request, operation, card });
  } catch (error) {
    if (!isPending(error)) throw error;
  }
  return undefined;
}

const isPending = (error: unknown): boolean =>
  error instanceof AppError && (error.details as { status?: string })?.status === 'PENDING';

/** Calls off a try of the invoice, or all that are open. Throws NOT_FOUND, and PROVIDER_UNAVAILABLE as `callOff` does. */
export async function cancelTries(
  deps: TryingDeps,
  { payments }: MerchantInvoice,
  payment_id: string | undefined,
): Promise<undefined> {
  const meant = payments.filter((one) => payment_id === undefined || one.payment_id === payment_id);
  if (payment_id !== undefined && meant.length === 0) throw fail('NOT_FOUND', 'Payment not found');
  for (const one of meant.filter(isOpen)) await callOff(deps, one.object_id);
}

const isOpen = ({ status }: InvoicePayment): boolean =>
  (TRYING as readonly string[]).includes(status);
