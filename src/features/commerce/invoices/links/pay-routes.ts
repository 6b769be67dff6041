import { type Static, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { AppError, fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { Download } from '#kernel/http/declare/file-bytes.ts';
import { Html } from '#kernel/http/declare/html.ts';
import { endpoints, type RequestFacts, type Route } from '#kernel/http/declare/route.ts';
import { explained, FileBytes, HtmlPage, Uuid } from '#kernel/http/declare/schema.ts';
import { type PageLanguage, pageLanguage } from '#kernel/http/pages/language.ts';
import { moneyOf } from '#kernel/money/amount-fields.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { checkoutPath, linkPath } from '../checkout/keys.ts';
import { noCheckoutPage } from '../checkout/page.ts';
import type { CheckoutDeps } from '../checkout/routes.ts';
import { sellerOf } from '../settings/store.ts';
import { type LinkPage, payLinkPage } from './page.ts';
import { pressLink } from './press.ts';
import { linkOfKey, type PaymentLink } from './store.ts';

const endpoint = endpoints(codedEnvelope);
const ByKey = Type.Object({
  key: explained(
    Type.String({ maxLength: 100, examples: ['9'.repeat(36)] }),
    'Of the link’s `url`',
  ),
});
const InLanguage = Type.Object({
  lang: Type.Optional(
    explained(
      Type.String({ maxLength: 10, examples: ['id'] }),
      'The language of the page, instead of that of the browser',
    ),
  ),
});

/** The page of a link; its address is all that people need. */
export const linkPageRoutes = (deps: CheckoutDeps): Route[] => [
  showRoute(deps),
  pressRoute(deps),
  logoRoute(deps),
];

const showRoute = (deps: CheckoutDeps): Route =>
  endpoint('GET /payment-gateway/pay/{key}', {
    name: 'paymentLinks.show',
    auth: 'public',
    limit: 'authenticated',
    errors: ['NOT_FOUND'],
    summary: 'A page for people, whose button makes an invoice of the link',
    params: ByKey,
    query: InLanguage,
    reply: { 200: HtmlPage, 404: HtmlPage },
    fault: 'Failed to show the page',
    handler: async ({ params, query, request, db }) =>
      shown(deps, { db, request, ...params, ...query }),
  });

const pressRoute = (deps: CheckoutDeps): Route =>
  endpoint('POST /payment-gateway/pay/{key}', {
    name: 'paymentLinks.press',
    auth: 'public',
    takesForm: true,
    errors: ['NOT_FOUND'],
    summary: 'Makes the invoice of a press, and goes on to its page',
    params: ByKey,
    query: InLanguage,
    body: Type.Object({
      press: explained(Uuid, 'Of the page: the same one again makes no second invoice'),
      amount: Type.Optional(
        explained(
          Type.String({ maxLength: 40, examples: ['150000'] }),
          'Where the payer names it; that of a link with a fixed one is its own',
        ),
      ),
    }),
    reply: { 200: HtmlPage, 303: HtmlPage, 404: HtmlPage },
    fault: 'Failed to make the invoice',
    async handler({ params, query, request, body, db }) {
      const asked = { db, request, ...params, ...query };
      const link = await linkOf(asked);
      if (!link) return noCheckoutPage(languageOf(asked));
      const { press, amount = '' } = body;
      const units = unitsOf(link, amount);
      if (units === undefined) return shown(deps, asked, { why: 'wrong', amount });
      const { ip } = request;
      const invoice_id = await pressLink(deps, link, { ip, press, units }).catch(busy);
      if (invoice_id === 'busy') return shown(deps, asked, { why: 'busy', amount });
      if (invoice_id === undefined) return shown(deps, asked, { why: 'taken', amount });
      const { lang } = query;
      return new Html(303, '', {
        location: checkoutPath(deps, invoice_id, '', lang === undefined ? {} : { lang }),
      });
    },
  });

const logoRoute = (deps: CheckoutDeps): Route =>
  endpoint('GET /payment-gateway/pay/{key}/logo', {
    name: 'paymentLinks.getLogo',
    auth: 'public',
    limit: 'authenticated',
    errors: ['NOT_FOUND'],
    summary: 'The picture of the client, for the page',
    params: ByKey,
    reply: { 200: FileBytes },
    fault: 'Failed to read the picture',
    async handler({ params: { key }, db }) {
      const link = await linkOfKey(db, digestOf(key));
      if (!link) throw fail('NOT_FOUND', 'Link not found');
      const { client_id } = link;
      const { logo_file_id } = await sellerOf(db, client_id);
      const file = logo_file_id && (await deps.files.find(db, { client_id }, logo_file_id));
      if (!file) throw fail('NOT_FOUND', 'File not found');
      const { name, content_type: type, size } = file;
      return new Download({ name, type, size }, deps.files.read(deps.db, file));
    },
  });

interface PageRequest {
  readonly db: Db;
  readonly request: RequestFacts;
  readonly key: Static<typeof ByKey>['key'];
  readonly lang?: string | undefined;
}

const languageOf = ({ lang, request }: PageRequest): PageLanguage =>
  pageLanguage(lang, request.headers['accept-language']);

const linkOf = ({ db, key }: PageRequest): Promise<PaymentLink | undefined> =>
  linkOfKey(db, digestOf(key));

/** Nothing where the text is no amount, or none that the link takes. */
function unitsOf({ amount, least, most, currency }: PaymentLink, text: string): bigint | undefined {
  if (amount !== null) return amount;
  try {
    const { units } = moneyOf({ amount: text.trim(), currency });
    return least !== null && most !== null && units >= least && units <= most ? units : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function busy(error: unknown): 'busy' {
  if (error instanceof AppError && error.code === 'RATE_LIMITED') return 'busy';
  throw error;
}

async function shown(
  deps: CheckoutDeps,
  asked: PageRequest,
  refused?: LinkPage['refused'],
): Promise<Html> {
  const { db, key, lang } = asked;
  const language = languageOf(asked);
  const link = await linkOf(asked);
  if (!link) return noCheckoutPage(language);
  const named: Record<string, string> = lang === undefined ? {} : { lang: language };
  return payLinkPage({
    link,
    language,
    refused,
    seller: await sellerOf(db, link.client_id),
    now: deps.clock.now().toISOString(),
    path: (other) => linkPath(key, other === undefined ? named : { lang: other }),
    logo: linkPath(`${key}/logo`),
  });
}
