import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const FX_WORDS: FeatureWords = {
  tags: {
    fx: { group: 'Fiat', title: 'FX', text: 'What money is worth in another currency.' },
  },
  titles: {
    'fx.quote': 'Get a quote',
  },
  descriptions: {
    'fx.quote':
      'Any API key may call it. It shows a price of now without a promise: an operation uses the rate of its own moment.',
    'fx.listRates': 'Any API key may call it. The rates are those that conversions would use now.',
  },
  places: {
    'FxQuote.source': 'coinbase',
    'fx.listRates.source': 'coinbase',
    'FxQuote.result': '1.00',
  },
  answers: [[/^(in|out)$/, '1.00']],
};
