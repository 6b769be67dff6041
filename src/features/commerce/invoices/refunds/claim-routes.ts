import { Type } from 'typebox';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type RequestFacts, type Route } from '#kernel/http/declare/route.ts';
import { explained, HtmlPage } from '#kernel/http/declare/schema.ts';
import { pageLanguage } from '#kernel/http/pages/language.ts';
import { typedCard } from '../card/typed.ts';
import { payCardClaim } from './card-claim.ts';
import { isClaimable, payRefundClaim, refundOfKey } from './claim.ts';
import { cardClaimPage, claimFormPage, claimStatePage, noClaimPage } from './claim-page.ts';
import type { RefundDeps } from './deps.ts';

const endpoint = endpoints(codedEnvelope);

const TEXT_MAX = 200;
const field = (meaning: string) =>
  Type.Optional(explained(Type.String({ maxLength: TEXT_MAX }), meaning));

const link = {
  auth: 'public',
  params: Type.Object({
    key: explained(Type.String({ maxLength: TEXT_MAX }), 'The end of the link'),
  }),
  query: Type.Object({
    lang: Type.Optional(
      explained(Type.String({ maxLength: TEXT_MAX }), 'The language of the page: `en` or `id`'),
    ),
  }),
  reply: { 200: HtmlPage, 400: HtmlPage, 404: HtmlPage, 410: HtmlPage },
} as const;

const languageOf = ({ lang }: { lang?: string }, { headers }: RequestFacts) =>
  pageLanguage(lang, headers['accept-language']);

/** The page behind a claim link. To look changes nothing: scanners of mail open every link. */
export const claimRoutes = (deps: RefundDeps): Route[] => [
  endpoint('GET /payment-gateway/claim/{key}', {
    ...link,
    name: 'invoiceRefunds.showClaim',
    summary: 'A page for people: what is paid back, and a form for the bank account or the card',
    async handler({ params: { key }, query, request, db }) {
      const language = languageOf(query, request);
      const found = await refundOfKey(db, key);
      if (!found) return noClaimPage(language);
      if (!isClaimable(deps, found.refund)) return claimStatePage(found, language);
      return found.refund.way === 'card'
        ? cardClaimPage(found, language)
        : claimFormPage(found, language);
    },
  }),

  endpoint('POST /payment-gateway/claim/{key}', {
    ...link,
    name: 'invoiceRefunds.claim',
    takesForm: true,
    summary: 'What the form of that page sends: the account, or the card that has paid, once',
    movesMoney: true,
    body: named('RefundAccountInput', {
      bank_code: field('The gateway’s code of the bank'),
      account_number: field('Its digits'),
      account_name: field('In whose name the account is'),
      ...typedCard,
    }),
    example: { bank_code: 'BCA', account_number: '8800123456', account_name: 'Siti Rahma' },
    async handler({ params: { key }, query, body, request, db }) {
      const language = languageOf(query, request);
      const found = await refundOfKey(db, key);
      if (!found) return noClaimPage(language);
      if (!isClaimable(deps, found.refund)) return claimStatePage(found, language);
      if (found.refund.way === 'card') {
        const flaw = await payCardClaim(deps, found, body, request);
        if (flaw !== undefined) return cardClaimPage(found, language, flaw);
      } else {
        const obstacle = await payRefundClaim(deps, found, body);
        if (obstacle !== undefined)
          return claimFormPage(found, language, { typed: body, obstacle });
      }
      return claimStatePage((await refundOfKey(db, key)) ?? found, language);
    },
  }),
];
