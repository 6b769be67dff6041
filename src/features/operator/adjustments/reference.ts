import { UUID } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const ADJUSTMENTS_WORDS: FeatureWords = {
  tags: {
    adjustments: {
      group: 'Operations',
      text: 'Corrections of the ledger: one of the operator’s people proposes, another one approves.',
    },
  },
  descriptions: {
    'adjustments.propose':
      'An admin of the operator proposes it and another one approves it by `POST /adjustments/{adjustment_id}/approve`; nothing is booked before. A proposal without an approval expires after a week. `adjustment.proposed` follows.',
    'adjustments.list': 'Only admins of the operator see them.',
  },
  values: {
    you_may: {
      approve: 'Book it',
      reject: 'End it, with a reason',
      withdraw: 'End it, having proposed it',
    },
  },
  origins: [[/^adjustments\.\w+\.adjustment_id$/, 'adjustments.propose']],
  answers: [
    [/^of$/, `adjustment:${UUID}`],
    [/^account$/, 'user:3 wallet'],
  ],
  meanings: {
    adjustment_id: 'Of a correction of the ledger, as its proposal has answered it',
  },
};
