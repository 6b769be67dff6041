import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const FEES_WORDS: FeatureWords = {
  tags: {
    fees: {
      group: 'Fiat',
      text: 'What clients charge their users for payments beyond the contract. A fee is worked out when the money is held, and kept with the payment.',
    },
  },
  meanings: {
    rows: 'All rows of the client: what is left out is charged by the operator’s rows',
    flat: 'A fee for each payment, in its currency',
    bps: 'Hundredths of a percent of the amount',
    min: 'The fee is no less',
    max: 'The fee is no more',
  },
  descriptions: {
    'fees.list':
      'Of a client’s own row and the operator’s for the same payments the client’s counts.',
    'fees.replace':
      'A client’s rows may not be below the operator’s. The operator’s admins replace the rows of all clients.',
  },
  places: {
    'FeeRow.currency': 'USD',
    'FeeRow.flat': '0.50',
    'FeeRow.min': '0.50',
    'FeeRow.max': '25.00',
    'FeeRow.method': 'qris',
  },
  origins: [],
};
