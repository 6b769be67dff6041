import { Type } from 'typebox';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { AmountInput, oneOfWords, stamped, Timestamp } from '#kernel/http/declare/schema.ts';
import { format, money } from '#kernel/money/money.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { CONVERTIBLE, convertVia, readRates } from './convert.ts';

const endpoint = endpoints(codedEnvelope);

const Quote = named('FxQuote', {
  from: Type.String(),
  to: Type.String(),
  amount: Type.String(),
  usdc: Type.String(),
  result: Type.String(),
  route: Type.String(),
  rates: Type.Object({ in: Type.String(), out: Type.String() }),
  source: Type.String(),
  rates_at: Timestamp,
  usable_until: Timestamp,
});

/** Quotes of conversions; nothing is moved. */
export const fxRoutes = ({ fx }: { readonly fx: ExchangeRates }): Route[] => [
  endpoint('GET /fx/quote', {
    name: 'fx.quote',
    auth: 'key',
    errors: ['AMOUNT_BELOW_MINIMUM', 'PROVIDER_UNAVAILABLE'],
    summary: 'Quotes an amount in another currency, over USDC; moves and reserves nothing',
    query: Type.Object({
      from: oneOfWords(CONVERTIBLE),
      to: oneOfWords(CONVERTIBLE),
      amount: AmountInput,
    }),
    reply: { 200: stamped({ data: Quote }) },
    async handler({ query: { from, to, amount } }) {
      const wished = money(from, amount);
      const rates = await readRates(fx);
      const { usdc, result, route, rate_in, rate_out } = convertVia(rates, { from: wished, to });
      return {
        data: {
          from,
          to,
          route,
          amount: format(wished),
          usdc: format(usdc),
          result: format(result),
          rates: { in: rate_in, out: rate_out },
          source: rates.source,
          rates_at: rates.at,
          usable_until: rates.usable_until,
        },
      };
    },
  }),

  endpoint('GET /fx/rates', {
    name: 'fx.listRates',
    auth: 'key',
    errors: ['PROVIDER_UNAVAILABLE'],
    summary: 'The price of one USDC in each currency, with the source and time of the rates',
    reply: {
      200: stamped({
        data: Type.Object({
          base: Type.String(),
          rates: Type.Record(Type.String(), Type.String()),
          source: Type.String(),
          rates_at: Timestamp,
          usable_until: Timestamp,
        }),
      }),
    },
    async handler() {
      const { rateOf, source, at, usable_until } = await readRates(fx);
      const known = CONVERTIBLE.flatMap((asset) => {
        const rate = asset === 'USDC' ? '1' : rateOf('USDC', asset);
        return rate === undefined ? [] : [[asset, rate] as const];
      });
      const data = { base: 'USDC', rates: Object.fromEntries(known), source, usable_until };
      return { data: { ...data, rates_at: at } };
    },
  }),
];
