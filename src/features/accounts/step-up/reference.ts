import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const STEP_UP_WORDS: FeatureWords = {
  tags: {
    stepUp: {
      group: 'Operations',
      text: 'Proofs of single operations: a call that answers STEP_UP_REQUIRED is repeated with the proven challenge.',
    },
  },
  descriptions: {
    'stepUp.prove':
      'The challenge stands for the operation, its amount, its currency and its recipient. Repeat the call with `x-step-up: <challenge_id>` before `proven_until`: it counts once. A user with a second factor proves it by a code, another one by the password.',
  },
  places: {
    'stepUp.prove.challenge_id': 'AAAAB2knqZQ-challenge-of-the-answer',
  },
  origins: [[/^stepUp\.prove\.challenge_id$/, 'onchain.send']],
};
