import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const RECONCILIATION_WORDS: FeatureWords = {
  tags: {
    reconciliation: {
      group: 'Operations',
      text: 'Where our books and those of a provider or chain differ.',
    },
  },
  titles: {
    'reconciliation.listBreaks': 'List differences',
    'reconciliation.explainBreak': 'Explain a difference',
  },
  descriptions: {
    'reconciliation.listBreaks':
      'An admin sees those of the own client’s transactions, the operator all. A break resolves itself once the other side catches up; `POST /reconciliation/breaks/{break_id}/explain` is for the others.',
  },
  places: {
    'Break.kind': 'payment',
  },
  origins: [[/^reconciliation\.\w+\.break_id$/, 'reconciliation.listBreaks']],
  answers: [
    [/^asset$/, 'USDC'],
    [/^rail$/, 'card-network'],
  ],
  meanings: {
    rail: 'Which books are compared, such as `card-network`',
  },
};
