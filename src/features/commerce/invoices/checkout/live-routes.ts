import { type Static, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { Download } from '#kernel/http/declare/file-bytes.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  FileBytes,
  Nullable,
  oneOfWords,
  stamped,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { INVOICE_METHODS } from '../payment-store.ts';
import { InvoiceAction } from '../presenters.ts';
import { sellerOf } from '../settings/store.ts';
import { followInvoice } from './follow.ts';
import { invoiceOfCheckoutKey } from './reach.ts';
import { returnUrlOf } from './return-url.ts';
import { ByCheckout, type CheckoutDeps, PageKey } from './routes.ts';
import { CHECKOUT_STATUSES, checkoutOf, markOf } from './state.ts';

const endpoint = endpoints(codedEnvelope);

const State = named('CheckoutState', {
  invoice_id: objectIdField('inv'),
  status: oneOfWords(CHECKOUT_STATUSES),
  currency: Type.String(),
  to_pay: MoneyText,
  paid_amount: MoneyText,
  expires_at: Timestamp,
  ways: explained(
    Type.Array(
      named('CheckoutWay', {
        method: oneOfWords(INVOICE_METHODS),
        amount: explained(MoneyText, 'With the fee, where the payer bears it'),
      }),
    ),
    'How it can be paid now',
  ),
  tries: explained(
    Type.Array(
      named('CheckoutTry', {
        payment_id: objectIdField('ipm'),
        method: oneOfWords(INVOICE_METHODS),
        amount: MoneyText,
        action: Nullable(InvoiceAction),
      }),
    ),
    'What was begun and waits for its payer, the latest first',
  ),
  has_failed: explained(Type.Boolean(), 'Whether the last try has failed'),
  return_url: explained(TextOrNull, 'Where the payer goes back to, signed'),
  mark: explained(Type.String(), 'Another one once anything of it has changed'),
});

/** What the page of an invoice shows, for programs on it. */
export const checkoutLiveRoutes = (deps: CheckoutDeps): Route[] => [
  stateRoute(deps),
  eventsRoute(deps),
  logoRoute(deps),
];

async function requireKey(
  deps: CheckoutDeps,
  db: Db,
  { invoice_id }: Static<typeof ByCheckout>,
  { key = '' }: Static<typeof PageKey>,
) {
  const found = await invoiceOfCheckoutKey(deps, db, { invoice_id, key });
  if (!found) throw fail('NOT_FOUND', 'Invoice not found');
  return found;
}

const stateRoute = (deps: CheckoutDeps): Route =>
  endpoint('GET /payment-gateway/checkout/{invoice_id}/state', {
    name: 'checkout.getState',
    auth: 'public',
    limit: 'authenticated',
    errors: ['NOT_FOUND'],
    summary: 'How an invoice stands, as its page shows it',
    params: ByCheckout,
    query: PageKey,
    reply: { 200: stamped({ data: State }) },
    fault: 'Failed to read the invoice',
    async handler({ params, query, db }) {
      const invoice = await requireKey(deps, db, params, query);
      const { object_id: invoice_id, client_id, expires_at } = invoice;
      const { ways, tries, ...checkout } = await checkoutOf(deps, db, invoice);
      const seller = await sellerOf(db, client_id);
      const returning = { ...invoice, status: checkout.status };
      const return_url = returnUrlOf(deps, returning, seller) ?? null;
      const mark = markOf({ ...checkout, ways, tries });
      const lists = { ways: [...ways], tries: [...tries] };
      return { data: { ...checkout, ...lists, invoice_id, expires_at, return_url, mark } };
    },
  });

const eventsRoute = (deps: CheckoutDeps): Route =>
  endpoint('GET /payment-gateway/checkout/{invoice_id}/events', {
    name: 'checkout.follow',
    auth: 'public',
    stream: true,
    once: true,
    errors: ['NOT_FOUND'],
    summary: 'Server-sent events without content, whenever the state of an invoice has changed',
    params: ByCheckout,
    query: PageKey,
    reply: { 200: Type.String({ contentMediaType: 'text/event-stream' }) },
    fault: 'Failed to follow the invoice',
    async handler({ params, query, request: { ip }, db }) {
      return followInvoice(deps, db, await requireKey(deps, db, params, query), ip);
    },
  });

const logoRoute = (deps: CheckoutDeps): Route =>
  endpoint('GET /payment-gateway/checkout/{invoice_id}/logo', {
    name: 'checkout.getLogo',
    auth: 'public',
    limit: 'authenticated',
    errors: ['NOT_FOUND'],
    summary: 'The picture of the client, for the page',
    params: ByCheckout,
    query: PageKey,
    reply: { 200: FileBytes },
    fault: 'Failed to read the picture',
    async handler({ params, query, db }) {
      const { client_id } = await requireKey(deps, db, params, query);
      const { logo_file_id } = await sellerOf(db, client_id);
      const file = logo_file_id && (await deps.files.find(db, { client_id }, logo_file_id));
      if (!file) throw fail('NOT_FOUND', 'File not found');
      const { name, content_type: type, size } = file;
      return new Download({ name, type, size }, deps.files.read(deps.db, file));
    },
  });
