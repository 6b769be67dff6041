import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const KINDS = {
  fx: 'A price of one currency in another',
  bridge: 'What arrives on another chain',
};
const QUOTE_WORDS = {
  OPEN: 'It may be used',
  USED: 'One thing was made by it',
  EXPIRED: 'Its time is over',
  CANCELLED: 'Its owner gave it up',
};
const PERIODS = {
  '30s': 'Thirty seconds',
  '60s': 'A minute, of quotes of the bridge',
  '5m': 'Five minutes',
  '1h': 'An hour',
  '24h': 'A day',
};

/** What the reference says of this feature beside its declarations. */
export const FX_WORDS: FeatureWords = {
  tags: {
    fx: {
      group: 'Fiat',
      title: 'FX',
      text: 'What money is worth in another currency, and prices that hold for a time.',
    },
  },
  titles: {
    'fx.quote': 'Get a price without a promise',
    'fx.createQuote': 'Make a quote',
    'fx.getQuote': 'Get a quote of yours',
    'fx.convert': 'Convert by a quote',
    'fx.listQuoteKeys': 'List keys of signatures',
    'fx.quoteReversal': 'Quote a reversal',
    'fx.listPositions': 'List positions',
    'fx.setLimits': 'Set position limits',
  },
  descriptions: {
    'fx.quote':
      'Any API key may call it. It shows a price of now without a promise: an operation uses the rate of its own moment.',
    'fx.createQuote':
      'One of the two amounts is fixed, and the other one is worked out over USDC, with a spread that grows with the time that the price holds. A quote is used by one thing, once: a conversion, or any operation that takes `quote_id`. Its price then holds even while rates are away. What ends without having moved money does not open it again. Up to 20 may be open at the same time.',
    'fx.getQuote':
      '`signature` is a JSON Web Signature of the terms (EdDSA, RFC 8037): its holder proves to others what the platform promised, by a key of `GET /fx/quote-keys` with the `kid` of its head. Its payload has the amounts, `sub` for the user, and `expires_at`; whether it has been used only this endpoint says.',
    'fx.cancelQuote':
      'Repeated on a cancelled quote it answers the same. Nothing is charged for it.',
    'fx.convert':
      'It is done at once: what the quote sells leaves the one wallet, and what it buys is in the other, which is opened where there is none. A policy that would make it wait denies it. `payment.succeeded` with the rail `fx` follows.',
    'fx.quoteReversal':
      'The quote sells all that the conversion has bought, at a rate of now: give it to POST /fx/conversions, and the conversion is taken back, once. `cost` says what is lost by that. Nothing else uses such a quote.',
    'fx.listSpreads':
      'A row of a pair counts before the row of all pairs; of one’s own row and the operator’s the higher one counts.',
    'fx.setSpreads':
      'All rows of the own client are replaced; quotes that exist keep their spread. A row below the operator’s is refused. The operator’s own rows need one for all pairs for each time.',
    'fx.listPositions':
      'What is posted, and what quotes that are open, or used for money that is only set aside, would add.',
    'fx.setLimits':
      'Currencies that are not named keep their limit. It counts for quotes that are made from then on: those that exist keep their price.',
    'fx.listConversions': 'Users see their own conversions, an admin those of the own client.',
    'fx.listCurrencies':
      'Any API key may call it. Spreads are those of the client of the key. A pair of currencies may have a spread of its own, which the quote then shows.',
    'fx.listRates': 'Any API key may call it. The rates are those that conversions would use now.',
  },
  meanings: {
    from_currency: 'The currency that is sold',
    to_currency: 'The currency that is bought',
    conversion_id: 'The id of a conversion, as POST /fx/conversions answers it',
    quote_id: 'The id of a quote, as POST /fx/quotes answers it',
    limits: 'The currencies whose limit changes',
    max_open_usd: 'How much of it may be bought or sold and not yet balanced, in US dollars',
    valid_for: 'How long the price holds: the longer, the higher the spread',
  },
  values: {
    'Quote.kind': KINDS,
    'fx.listQuotes.kind': KINDS,
    'Quote.status': QUOTE_WORDS,
    'fx.listQuotes.status': QUOTE_WORDS,
    fixed_side: {
      from: 'What is sold was asked for',
      to: 'What is bought was asked for',
    },
    mode: { down: 'Rounded down', up: 'Rounded up' },
    valid_for: PERIODS,
    period: PERIODS,
    kty: { OKP: 'A key on an Edwards curve' },
    crv: { Ed25519: 'The curve Ed25519' },
    alg: { EdDSA: 'The signature of that curve' },
    use: { sig: 'A key of signatures' },
  },
  bodies: () => ({
    // Only one of the two amounts is sent.
    'fx.createQuote': { to_amount: undefined },
  }),
  places: {
    'FxQuote.source': 'coinbase',
    'fx.listRates.source': 'coinbase',
    'FxQuote.result': '1.00',
    'CurrencyConversion.substatus': 'in_doubt',
    'CurrencyConversion.rate': '15796.1225',
    'Quote.rate': '15796.1225',
    'Quote.inverse_rate': '0.000063306676',
    'Quote.mid_rate': '15875.5',
    'Quote.spread_bps': 50,
    'Quote.rate_source': 'coinbase',
    'Quote.route': 'USD → USDC → IDR',
    'Quote.residue': '0.004213',
    'QuotedBridge.mode': 'standard',
    'Quote.used_by': 'cnv_01kkw6w7w0e4z9t3m5q8r2b1ya',
    'Quote.signature': 'eyJhbGciOiJFZERTQSJ9.eyJxdW90ZV9pZCI6InF0ZV8wMSJ9.c2lnbmF0dXJl',
    'QuoteFee.rail': 'fx',
    'QuoteKey.x': '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    'QuoteKey.kid': 'kPrK_qmxVWaYVA9w',
    'FxCurrency.digits': 2,
    'FxPeriod.spread_bps': 50,
  },
  origins: [
    [/^fx\.(getQuote|cancelQuote|convert)\.quote_id$/, 'fx.createQuote'],
    [/^fx\.(getConversion|quoteReversal|setMetadata)\.conversion_id$/, 'fx.convert'],
  ],
  answers: [[/^(in|out)$/, '1.00']],
};
