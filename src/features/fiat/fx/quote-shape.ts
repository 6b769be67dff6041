import { Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format, type Money, SCALE } from '#kernel/money/money.ts';
import { formatRate, multiply } from '#kernel/money/rate.ts';
import { objectId } from '#kernel/object-id.ts';
import { CONVERTIBLE } from './convert.ts';
import type { Quotable } from './quote-price.ts';
import type { QuoteSigner } from './quote-signature.ts';
import {
  BRIDGE_PERIOD,
  QUOTE_KINDS,
  QUOTE_PERIODS,
  QUOTE_STATUSES,
  type Quote,
  type QuotedBridge,
} from './quote-store.ts';

export const QuotableField = oneOfWords(CONVERTIBLE);
const PERIODS = Object.keys(QUOTE_PERIODS) as (keyof typeof QUOTE_PERIODS)[];
export const QuotePeriodField = oneOfWords(PERIODS);

const QuotedBridgeBody = named('QuotedBridge', {
  from_chain: Type.String(),
  to_chain: Type.String(),
  mode: Type.String(),
  recipient_address: Type.String(),
  recipient_tag: explained(
    Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    'Whose it is at that address, where its chain knows tags',
  ),
});

export const ShownQuote = named('Quote', {
  quote_id: objectIdField('qte'),
  kind: oneOfWords(QUOTE_KINDS),
  status: oneOfWords(QUOTE_STATUSES),
  fixed_side: explained(
    oneOfWords(['from', 'to']),
    'The side whose amount was asked for; the other one was worked out',
  ),
  from_currency: QuotableField,
  from_amount: MoneyText,
  to_currency: QuotableField,
  to_amount: MoneyText,
  rate: explained(Type.String(), 'Of the two amounts: what one of the first currency buys'),
  inverse_rate: explained(
    Type.String(),
    'Of the two amounts: what one of the second currency costs',
  ),
  mid_rate: explained(Type.String(), 'The middle of the market, without the spread'),
  spread_bps: explained(Type.Integer(), 'Taken off the middle, in hundredths of a percent'),
  valid_for: oneOfWords([...PERIODS, BRIDGE_PERIOD]),
  rate_source: Type.String(),
  rates_at: Timestamp,
  route: Type.String(),
  rounding: Type.Object({
    mode: explained(
      oneOfWords(['down', 'up']),
      'The amount that was worked out is rounded down where it is paid out, and up where it is paid',
    ),
    residue: explained(
      Type.String(),
      'What rounding leaves to the platform, in the currency of the amount that was worked out',
    ),
  }),
  fees: explained(
    Type.Array(
      named('QuoteFee', { rail: Type.String(), amount: MoneyText, currency: QuotableField }),
    ),
    'What a conversion by this quote costs beside the amounts',
  ),
  used_by: explained(TextOrNull, 'The one thing that was made by it'),
  reverses: explained(
    Nullable(objectIdField('cnv')),
    'The conversion that it takes back; a conversion alone uses such a quote',
  ),
  bridge: explained(
    Nullable(QuotedBridgeBody),
    'Where a quote of the bridge leads; its fees are off the amount already',
  ),
  created_at: Timestamp,
  expires_at: Timestamp,
  signature: explained(
    Type.String(),
    'The terms as a JSON Web Signature (EdDSA) by a key of `GET /fx/quote-keys`',
  ),
});

/** Rates of the smallest amounts still have six digits. */
const RATE_DIGITS = 18;

/** How many of the second one unit of the first is, by the amounts themselves. */
export const perOne = (of: Money<Quotable>, is: Money<Quotable>): string =>
  formatRate(
    {
      numerator: is.units * 10n ** BigInt(SCALE[of.asset]),
      denominator: of.units * 10n ** BigInt(SCALE[is.asset]),
    },
    RATE_DIGITS,
    'nearest',
  );

/** What a quote promises, and to whom: what its signature covers, in this order. */
const termsOf = (quote: Quote) => ({
  quote_id: objectId('qte', quote.quote_id),
  kind: quote.kind,
  sub: String(quote.user_id),
  fixed_side: quote.fixed_side,
  from_currency: quote.from_currency,
  from_amount: format({ asset: quote.from_currency, units: quote.from_units }),
  to_currency: quote.to_currency,
  to_amount: format({ asset: quote.to_currency, units: quote.to_units }),
  created_at: quote.created_at,
  expires_at: quote.expires_at,
  ...(quote.bridge && { bridge: shownBridge(quote.bridge) }),
});

const shownBridge = ({
  from_chain,
  to_chain,
  mode,
  recipient_address,
  recipient_tag,
}: QuotedBridge) => ({
  from_chain,
  to_chain,
  mode,
  recipient_address,
  ...(recipient_tag !== undefined && { recipient_tag }),
});

/** A quote as GET answers it. */
export function shownQuote(quote: Quote, signer: QuoteSigner) {
  const from = { asset: quote.from_currency, units: quote.from_units };
  const to = { asset: quote.to_currency, units: quote.to_units };
  const { sub: _, bridge = null, ...terms } = termsOf(quote);
  return {
    ...terms,
    status: quote.status,
    rate: perOne(from, to),
    inverse_rate: perOne(to, from),
    mid_rate: multiply(quote.rate_in, quote.rate_out, RATE_DIGITS, 'nearest'),
    spread_bps: quote.spread_bps,
    valid_for: quote.valid_for,
    rate_source: quote.source,
    rates_at: quote.rates_at,
    route: quote.route,
    rounding: {
      mode: quote.fixed_side === 'from' ? ('down' as const) : ('up' as const),
      residue: quote.residue,
    },
    fees: quote.fees.map(({ rail, currency, units }) => ({
      rail,
      amount: format({ asset: currency, units: BigInt(units) }),
      currency,
    })),
    used_by: quote.used_by,
    reverses: quote.reverses === null ? null : objectId('cnv', quote.reverses),
    bridge,
    signature: signer.sign(termsOf(quote)),
  };
}
