import { type Static, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { Html } from '#kernel/http/declare/html.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { endpoints, type RequestFacts, type Route } from '#kernel/http/declare/route.ts';
import { explained, HtmlPage, oneOfWords } from '#kernel/http/declare/schema.ts';
import { type PageLanguage, pageLanguage } from '#kernel/http/pages/language.ts';
import { typedCard } from '../card/typed.ts';
import type { InvoicesGiven, TryingDeps } from '../deps.ts';
import { GATEWAY_METHODS } from '../payment-store.ts';
import { sellerOf } from '../settings/store.ts';
import type { MerchantInvoice } from '../store.ts';
import { cancelTries, type PageFlaw, payCardOnPage, payOnPage } from './act.ts';
import { checkoutPath } from './keys.ts';
import { checkoutPage, noCheckoutPage } from './page.ts';
import { invoiceOfCheckoutKey } from './reach.ts';
import { returnUrlOf } from './return-url.ts';
import { checkoutOf } from './state.ts';

export type CheckoutDeps = TryingDeps & InvoicesGiven;

const endpoint = endpoints(codedEnvelope);
export const ByCheckout = Type.Object({ invoice_id: objectIdInput('inv') });
export const PageKey = Type.Object({
  key: Type.Optional(explained(Type.String({ maxLength: 100 }), 'Of `checkout_url`')),
  lang: Type.Optional(
    explained(
      Type.String({ maxLength: 10, examples: ['id'] }),
      'The language of the page, instead of that of the browser',
    ),
  ),
});
type PageKey = Static<typeof PageKey>;
const Pages = { 200: HtmlPage, 303: HtmlPage, 404: HtmlPage };

/** The page on which people pay an invoice; its address is all they need. */
export const checkoutRoutes = (deps: CheckoutDeps): Route[] => [
  showRoute(deps),
  payRoute(deps),
  cardRoute(deps),
  cancelRoute(deps),
];

const showRoute = (deps: CheckoutDeps): Route =>
  endpoint('GET /payment-gateway/checkout/{invoice_id}', {
    name: 'checkout.show',
    auth: 'public',
    limit: 'authenticated',
    errors: ['NOT_FOUND'],
    summary: 'A page for people, on which they pay the invoice. Its address is in the invoice',
    params: ByCheckout,
    query: PageKey,
    reply: { 200: HtmlPage, 404: HtmlPage },
    fault: 'Failed to show the page',
    handler: async ({ params, query, request, db }) => shown(deps, { db, params, query, request }),
  });

const payRoute = (deps: CheckoutDeps): Route =>
  endpoint('POST /payment-gateway/checkout/{invoice_id}/payments', {
    name: 'checkout.pay',
    auth: 'public',
    takesForm: true,
    errors: ['NOT_FOUND'],
    summary: 'Begins a payment in the pressed way, and shows the page again',
    params: ByCheckout,
    query: PageKey,
    body: Type.Object({ method: oneOfWords(GATEWAY_METHODS) }),
    example: { method: 'qris' },
    reply: Pages,
    fault: 'Failed to begin the payment',
    handler: async ({ params, query, request, operation, body: { method }, db }) =>
      acted(deps, { db, params, query, request }, (invoice) =>
        payOnPage(deps, invoice, { ip: request.ip, operation, method }),
      ),
  });

const cardRoute = (deps: CheckoutDeps): Route =>
  endpoint('POST /payment-gateway/checkout/{invoice_id}/card', {
    name: 'checkout.payByCard',
    auth: 'public',
    movesMoney: true,
    takesForm: true,
    errors: ['NOT_FOUND'],
    summary: 'Takes all that is owed from the typed card, and shows the page again',
    params: ByCheckout,
    query: PageKey,
    body: named('CheckoutCardInput', typedCard),
    example: { card_number: '4111 1111 1111 1111', expiry_date: '11/39', cvv: '739' },
    reply: Pages,
    fault: 'Failed to take the payment',
    handler: async ({ params, query, request, operation, body: typed, db }) =>
      acted(deps, { db, params, query, request }, (invoice) =>
        payCardOnPage(deps, invoice, { request, operation, typed }),
      ),
  });

const cancelRoute = (deps: CheckoutDeps): Route =>
  endpoint('POST /payment-gateway/checkout/{invoice_id}/cancel', {
    name: 'checkout.cancel',
    auth: 'public',
    takesForm: true,
    errors: ['NOT_FOUND'],
    summary: 'Calls off what the payer has begun, and shows the page again; the invoice stays',
    params: ByCheckout,
    query: PageKey,
    body: Type.Object({
      payment_id: Type.Optional(explained(objectIdInput('ipm'), 'All of them without one')),
    }),
    reply: Pages,
    fault: 'Failed to cancel the payment',
    handler: async ({ params, query, request, body: { payment_id }, db }) =>
      acted(deps, { db, params, query, request }, (invoice) =>
        cancelTries(deps, invoice, payment_id),
      ),
  });

interface PageRequest {
  readonly db: Db;
  readonly params: Static<typeof ByCheckout>;
  readonly query: PageKey;
  readonly request: RequestFacts;
}

const languageOf = ({ query: { lang }, request }: PageRequest): PageLanguage =>
  pageLanguage(lang, request.headers['accept-language']);

/** The page of the moment, with what was refused just now. */
async function shown(deps: CheckoutDeps, asked: PageRequest, refused?: PageFlaw): Promise<Html> {
  const { db, params, query } = asked;
  const language = languageOf(asked);
  const { invoice_id } = params;
  const invoice = await invoiceOfCheckoutKey(deps, db, { invoice_id, key: query.key ?? '' });
  if (!invoice) return noCheckoutPage(language);
  const checkout = await checkoutOf(deps, db, invoice);
  const seller = await sellerOf(db, invoice.client_id);
  const named = query.lang === undefined ? {} : { lang: language };
  const leftMs = Date.parse(invoice.expires_at) - deps.clock.ms();
  return checkoutPage({
    invoice,
    checkout,
    seller,
    language,
    path: (below, other) =>
      checkoutPath(deps, invoice_id, below, other === undefined ? named : { lang: other }),
    returnUrl: returnUrlOf(deps, { ...invoice, status: checkout.status }, seller),
    leftS: Math.max(0, Math.floor(leftMs / 1000)),
    refused,
  });
}

/** Acts, and has the browser load the page again; what is refused is said on the page. */
async function acted(
  deps: CheckoutDeps,
  asked: PageRequest,
  act: (invoice: MerchantInvoice) => Promise<PageFlaw | undefined>,
): Promise<Html> {
  const { db, params, query } = asked;
  const { invoice_id } = params;
  const invoice = await invoiceOfCheckoutKey(deps, db, { invoice_id, key: query.key ?? '' });
  if (!invoice) return noCheckoutPage(languageOf(asked));
  try {
    const flaw = await act(invoice);
    if (flaw) return shown(deps, asked, flaw);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'INTERNAL') throw error;
    // It has ended meanwhile, or the same was pressed twice: the page shows how it stands.
    if (!SEEN_ON_PAGE.has(error.code)) return shown(deps, asked, error);
  }
  const named: Record<string, string> = query.lang === undefined ? {} : { lang: languageOf(asked) };
  return new Html(303, '', { location: checkoutPath(deps, invoice_id, '', named) });
}

const SEEN_ON_PAGE: ReadonlySet<string> = new Set(['INVALID_STATUS', 'CONFLICT']);
