import { ADDRESS } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const TOKENS_WORDS: FeatureWords = {
  tags: {
    tokens: {
      group: 'Crypto',
      text: 'Tokens by their contract, beside those that every wallet has.',
    },
  },
  places: {
    'tokens.import.asset_issuer': ADDRESS,
  },
  origins: [[/^tokens\.import\.asset_issuer$/, 'the address of a token’s contract on that chain']],
  meanings: {
    asset_issuer: 'The address of the token’s contract',
  },
};
