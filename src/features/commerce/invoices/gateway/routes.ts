import { Type } from 'typebox';
import { FIAT } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { doubtsOf } from '#kernel/effects/doubts.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import { explained, oneOfWords, stamped } from '#kernel/http/declare/schema.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { CurrencyField, MoneyInput, MoneyText, moneyOf } from '#kernel/money/amount-fields.ts';
import { NAMELESS, namesOf, namesReaderOf } from '#kernel/object-names/object-names.ts';
import type { TryingDeps } from '../deps.ts';
import { payingMethods } from '../methods.ts';
import { METHOD_REFUNDS, METHOD_SETTLES } from '../methods-store.ts';
import {
  findInvoicePayment,
  GATEWAY_METHODS,
  INVOICE_METHODS,
  type InvoicePayment,
  TRYING,
} from '../payment-store.ts';
import { ShownInvoicePayment, shownInvoicePayment } from '../presenters.ts';
import { ByInvoice } from '../routes.ts';
import { beginTry, callOff } from './start.ts';

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownInvoicePayment });
const ByPayment = Type.Object({ payment_id: objectIdInput('ipm') });

/** Ways to pay, and tries to pay an invoice by the gateway. */
export const invoiceTryRoutes = (deps: TryingDeps): Route[] => [
  methodsRoute(deps),
  beginRoute(deps),
  readRoute,
  cancelRoute(deps),
];

const PayingMethod = named('PayingMethod', {
  method: oneOfWords(INVOICE_METHODS),
  currency: CurrencyField,
  fee: named('MethodFee', { flat: MoneyText, bps: Type.Integer() }),
  min: MoneyText,
  max: MoneyText,
  refunds: explained(oneOfWords(METHOD_REFUNDS), 'How a payment can be given back'),
  settles: explained(oneOfWords(METHOD_SETTLES), 'When the merchant has the money'),
});

const methodsRoute = (deps: TryingDeps): Route =>
  endpoint('GET /payment-gateway/methods', {
    name: 'invoices.listMethods',
    auth: 'key',
    summary: 'The ways to pay invoices in a currency that the client offers, with its fees',
    query: Type.Object({
      currency: oneOfWords(FIAT),
      amount: Type.Optional(explained(MoneyInput, 'Only the ways that take so much')),
    }),
    reply: { 200: stamped({ data: Type.Array(PayingMethod) }) },
    fault: 'Failed to list the ways to pay',
    async handler({ caller, query: { currency, amount }, db }) {
      const units = amount === undefined ? undefined : moneyOf({ amount, currency }).units;
      // The fees of the operator, for a key of no client.
      const client_id = caller.key.client_id ?? 0;
      return { data: await payingMethods(deps, db, { client_id, currency, units }) };
    },
  });

const beginRoute = (deps: TryingDeps): Route =>
  endpoint('POST /payment-gateway/invoices/{invoice_id}/payments', {
    name: 'invoicePayments.create',
    auth: 'user',
    movesMoney: true,
    creates: { kind: 'invoice_try', object: 'payment' },
    errors: [
      ...(['NOT_FOUND', '409 INVALID_STATUS', 'METHOD_NOT_AVAILABLE', 'CONFLICT'] as const),
      ...(['409 LIMIT_EXCEEDED', 'PROVIDER_UNAVAILABLE'] as const),
    ],
    summary: 'Begins a payment of all that is owed by the gateway, and answers where to pay it',
    params: ByInvoice,
    body: Type.Object({ method: oneOfWords(GATEWAY_METHODS) }),
    example: { method: 'qris' },
    reply: { 201: One },
    fault: 'Failed to begin the payment',
    async handler({ caller, request, operation, params, body, db }) {
      const scope = tenantScopeOf(caller);
      const requester = requesterOf(caller, request);
      const trying = { scope, requester, operation, ...params, ...body };
      const payment = await beginTry(deps, trying);
      return at(201, { data: await shown(db, caller, payment) });
    },
  });

const readRoute: Route = endpoint('GET /payment-gateway/payments/{payment_id}', {
  name: 'invoicePayments.get',
  auth: 'user',
  errors: ['NOT_FOUND'],
  summary: 'Shows a payment of an invoice, and where it is paid',
  params: ByPayment,
  reply: { 200: One },
  fault: 'Failed to read the payment',
  async handler({ caller, params, db }) {
    return { data: await shown(db, caller, await requireOne(db, caller, params.payment_id)) };
  },
});

const cancelRoute = (deps: TryingDeps): Route =>
  endpoint('POST /payment-gateway/payments/{payment_id}/cancel', {
    name: 'invoicePayments.cancel',
    auth: 'user',
    errors: ['NOT_FOUND', '409 INVALID_STATUS', 'PROVIDER_UNAVAILABLE'],
    summary: 'Calls a payment off, as far as its payer was not faster',
    params: ByPayment,
    reply: { 200: One },
    fault: 'Failed to cancel the payment',
    async handler({ caller, params, db }) {
      const payment = await requireOne(db, caller, params.payment_id);
      if (payment.status === 'CANCELLED') return { data: await shown(db, caller, payment) };
      if (!(TRYING as readonly string[]).includes(payment.status))
        throw notAllowedIn(payment.status, TRYING);
      const ended = await callOff(deps, payment.object_id);
      if (ended.status === 'SUCCEEDED') throw notAllowedIn(ended.status, TRYING);
      return { data: await shown(db, caller, ended) };
    },
  });

async function requireOne(db: Db, caller: UserCaller, payment_id: string): Promise<InvoicePayment> {
  const found = await findInvoicePayment(db, tenantScopeOf(caller), payment_id);
  if (!found) throw fail('NOT_FOUND', 'Payment not found');
  return found;
}

/** With what its caller calls it, and what is in doubt. */
async function shown(db: Db, caller: UserCaller, payment: InvoicePayment) {
  const { object_id } = payment;
  const names = await namesOf(db, 'payment', [object_id], namesReaderOf(caller));
  const doubts = await doubtsOf(db, [object_id]);
  const one = { ...payment, names: names.get(object_id) ?? NAMELESS };
  return shownInvoicePayment(one, doubts.get(object_id));
}
