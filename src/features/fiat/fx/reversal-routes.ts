import { Type } from 'typebox';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, stamped } from '#kernel/http/declare/schema.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { readRates } from './convert.ts';
import { findCurrencyConversion } from './currency-conversion-store.ts';
import { makeQuote } from './quote-make.ts';
import type { QuoteRouteDeps } from './quote-routes.ts';
import { QuotableField, QuotePeriodField, ShownQuote, shownQuote } from './quote-shape.ts';

const endpoint = endpoints(codedEnvelope);

const Reversal = named('ConversionReversal', {
  quote: ShownQuote,
  cost: explained(
    MoneyText,
    'What was paid less what comes back; below zero where the rate has moved in your favour',
  ),
  currency: QuotableField,
});

/** The price of taking a conversion back. */
export const reversalRoute = ({ fx, db, clock, signer }: QuoteRouteDeps): Route =>
  endpoint('POST /fx/conversions/{conversion_id}/reversal', {
    name: 'fx.quoteReversal',
    team: 'refunds:write',
    auth: 'user',
    movesMoney: true,
    errors: [
      ...(['NOT_FOUND', '409 INVALID_STATUS', 'AMOUNT_BELOW_MINIMUM'] as const),
      ...(['429 LIMIT_EXCEEDED', 'PROVIDER_UNAVAILABLE', 'POSITION_LIMIT'] as const),
    ],
    summary: 'Makes the quote that takes a conversion back, and says what that costs',
    params: Type.Object({ conversion_id: objectIdInput('cnv') }),
    body: Type.Object({ valid_for: Type.Optional({ ...QuotePeriodField, default: '30s' }) }),
    reply: { 201: stamped({ data: Reversal }) },
    fault: 'Failed to make the quote',
    async handler({ caller: { user_id, client_id }, params: { conversion_id }, body }) {
      const row = await findCurrencyConversion(db, { user_id }, conversion_id);
      if (!row) throw fail('NOT_FOUND', 'Conversion not found');
      if (row.reversed_by !== null || row.reverses !== null)
        throw notAllowedIn(row.reverses === null ? 'REVERSED' : 'REVERSAL', ['COMPLETED']);
      const { from_currency: to, to_currency, to_units } = row;
      const wish = { from: { asset: to_currency, units: to_units }, to };
      const rates = await readRates(fx);
      const { valid_for = '30s' } = body;
      const of = { user_id, client_id, reverses: conversion_id };
      const quote = await makeQuote(db, rates, { ...of, wish, valid_for, ms: clock.ms() });
      const cost = format({ asset: to, units: row.from_units - quote.to_units });
      return at(201, { data: { quote: shownQuote(quote, signer), cost, currency: to } });
    },
  });
