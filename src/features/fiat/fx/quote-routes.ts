import { Type } from 'typebox';
import { tenantScopeOfKey } from '#kernel/access/tenant-scope.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, oneOfWords, stamped } from '#kernel/http/declare/schema.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { MoneyInput, MoneyText, moneyOf } from '#kernel/money/amount-fields.ts';
import { convert, format, SCALE } from '#kernel/money/money.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { rateFor, readRates } from './convert.ts';
import { readPositions } from './position-store.ts';
import { makeQuote } from './quote-make.ts';
import type { Quotable, QuoteWish } from './quote-price.ts';
import { QuotableField, QuotePeriodField, ShownQuote, shownQuote } from './quote-shape.ts';
import type { QuoteSigner } from './quote-signature.ts';
import { cancelQuote, findQuote, listQuotes, QUOTE_KINDS, QUOTE_STATUSES } from './quote-store.ts';
import { generalSpreads } from './spread-store.ts';

const endpoint = endpoints(codedEnvelope);

export interface QuoteRouteDeps extends Pick<Kernel, 'clock' | 'db'> {
  readonly fx: ExchangeRates;
  readonly signer: QuoteSigner;
}

const One = stamped({ data: ShownQuote });
const params = Type.Object({ quote_id: objectIdInput('qte') });

/** Prices that hold for a time, by which whatever moves money may be made. */
export const quoteRoutes = (deps: QuoteRouteDeps): Route[] => [
  currenciesRoute(deps),
  keysRoute(deps),
  createRoute(deps),
  listRoute(deps),
  readRoute(deps),
  cancelRoute(deps),
];

const ShownCurrency = named('FxCurrency', {
  currency: QuotableField,
  digits: explained(Type.Integer(), 'After the point'),
  min: explained(MoneyText, 'One smallest unit; the other amount has to come to one as well'),
  max: explained(MoneyText, 'What the platform buys or sells of it at most, at the present rates'),
  valid_for: Type.Array(
    named('FxPeriod', {
      period: QuotePeriodField,
      spread_bps: explained(
        Type.Integer(),
        'In hundredths of a percent, of pairs that have no spread of their own',
      ),
    }),
  ),
});

const currenciesRoute = ({ fx, db }: QuoteRouteDeps): Route =>
  endpoint('GET /fx/currencies', {
    name: 'fx.listCurrencies',
    auth: 'key',
    errors: ['PROVIDER_UNAVAILABLE'],
    summary: 'Lists the currencies of quotes, with the spread for each time that a price holds',
    reply: { 200: stamped({ data: Type.Array(ShownCurrency) }) },
    fault: 'Failed to list currencies',
    async handler({ caller: { key } }) {
      const rates = await readRates(fx);
      const { client_id } = tenantScopeOfKey(key);
      const [positions, valid_for] = await Promise.all([
        readPositions(db),
        generalSpreads(db, client_id),
      ]);
      const data = positions.map(({ currency, max_open_usd }) => {
        const most = { asset: 'USD' as const, units: max_open_usd };
        return {
          currency,
          digits: SCALE[currency],
          min: format({ asset: currency, units: 1n }),
          max: format(convert(most, rateFor(rates, 'USD', currency), currency, 'down')),
          valid_for,
        };
      });
      return { data };
    },
  });

const ShownKey = named('QuoteKey', {
  kty: oneOfWords(['OKP']),
  crv: oneOfWords(['Ed25519']),
  x: explained(Type.String(), 'The public key, in base64url'),
  kid: explained(Type.String(), 'As the head of a signature names it'),
  alg: oneOfWords(['EdDSA']),
  use: oneOfWords(['sig']),
});

const keysRoute = ({ signer }: QuoteRouteDeps): Route =>
  endpoint('GET /fx/quote-keys', {
    name: 'fx.listQuoteKeys',
    auth: 'public',
    summary: 'Lists the public keys by which the signatures of quotes are verified',
    reply: {
      200: stamped({
        data: Type.Object({
          keys: explained(Type.Array(ShownKey), 'A set of JSON Web Keys (RFC 7517)'),
        }),
      }),
    },
    handler: async () => ({ data: { keys: [signer.key()] } }),
  });

const createRoute = ({ fx, db, clock, signer }: QuoteRouteDeps): Route =>
  endpoint('POST /fx/quotes', {
    name: 'fx.createQuote',
    auth: 'user',
    movesMoney: true,
    errors: [
      ...(['AMOUNT_BELOW_MINIMUM', 'CURRENCY_MISMATCH', '429 LIMIT_EXCEEDED'] as const),
      ...(['PROVIDER_UNAVAILABLE', 'POSITION_LIMIT'] as const),
    ],
    summary: 'Makes a price that holds for a time and is used once',
    body: Type.Object({
      from_currency: QuotableField,
      to_currency: QuotableField,
      from_amount: Type.Optional(explained(MoneyInput, 'What is sold; or `to_amount`')),
      to_amount: Type.Optional(explained(MoneyInput, 'What is bought; or `from_amount`')),
      valid_for: Type.Optional({ ...QuotePeriodField, default: '30s' }),
    }),
    example: { from_currency: 'USD', to_currency: 'IDR', from_amount: '12.50', valid_for: '5m' },
    reply: { 201: One },
    fault: 'Failed to make the quote',
    async handler({ caller: { user_id, client_id }, body }) {
      const wish = wishOf(body);
      const rates = await readRates(fx);
      const { valid_for = '30s' } = body;
      const ms = clock.ms();
      const quote = await makeQuote(db, rates, { user_id, client_id, wish, valid_for, ms });
      return at(201, { data: shownQuote(quote, signer) });
    },
  });

function wishOf({
  from_currency: from,
  to_currency: to,
  from_amount,
  to_amount,
}: {
  readonly from_currency: Quotable;
  readonly to_currency: Quotable;
  readonly from_amount?: string;
  readonly to_amount?: string;
}): QuoteWish {
  if (from === to)
    throw fail('CURRENCY_MISMATCH', `A quote is for two currencies, not for ${from}`);
  if (from_amount !== undefined && to_amount === undefined)
    return { from: moneyOf({ amount: from_amount, currency: from }, 'from_amount'), to };
  if (to_amount !== undefined && from_amount === undefined)
    return { from, to: moneyOf({ amount: to_amount, currency: to }, 'to_amount') };
  throw wrongField('from_amount', 'or to_amount has to be sent, and not both');
}

const listRoute = ({ signer }: QuoteRouteDeps): Route =>
  endpoint('GET /fx/quotes', {
    name: 'fx.listQuotes',
    auth: 'user',
    errors: ['INVALID_PAGINATION'],
    summary: 'Lists your quotes, newest first',
    query: Type.Object({
      ...cursorQuery,
      status: Type.Optional(oneOfWords(QUOTE_STATUSES)),
      kind: Type.Optional(oneOfWords(QUOTE_KINDS)),
    }),
    reply: { 200: stamped({ data: cursorPage(ShownQuote) }) },
    fault: 'Failed to list quotes',
    async handler({ caller: { user_id }, query, db }) {
      const { wanted, page } = cursorReader(query);
      const { status, kind } = query;
      const wish = { user_id, ...(status && { status }), ...(kind && { kind }) };
      const found = await listQuotes(db, wish, wanted);
      const data = page(
        found,
        ({ serial }) => serial,
        (quote) => shownQuote(quote, signer),
      );
      return { data };
    },
  });

const readRoute = ({ signer }: QuoteRouteDeps): Route =>
  endpoint('GET /fx/quotes/{quote_id}', {
    name: 'fx.getQuote',
    auth: 'user',
    errors: ['NOT_FOUND'],
    summary: 'Shows a quote of yours',
    params,
    reply: { 200: One },
    fault: 'Failed to read the quote',
    async handler({ caller: { user_id }, params: { quote_id }, db }) {
      const quote = await findQuote(db, { quote_id, user_id });
      if (!quote) throw fail('NOT_FOUND', 'Quote not found');
      return { data: shownQuote(quote, signer) };
    },
  });

const cancelRoute = ({ signer }: QuoteRouteDeps): Route =>
  endpoint('POST /fx/quotes/{quote_id}/cancel', {
    name: 'fx.cancelQuote',
    auth: 'user',
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    summary: 'Gives up a quote that has not been used',
    params,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to cancel the quote',
    async handler({ caller: { user_id }, params: { quote_id }, db }) {
      const cancelled = await cancelQuote(db, { quote_id, user_id });
      const quote = cancelled ?? (await findQuote(db, { quote_id, user_id }));
      if (!quote) throw fail('NOT_FOUND', 'Quote not found');
      if (quote.status !== 'CANCELLED') throw notAllowedIn(quote.status, ['OPEN']);
      return { data: shownQuote(quote, signer) };
    },
  });
