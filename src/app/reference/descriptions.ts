import type { Vocabulary } from '#kernel/openapi/vocabulary.ts';
import { OF_CHAINS } from './descriptions/chains.ts';
import { OF_MONEY } from './descriptions/money.ts';
import { OF_OPERATIONS } from './descriptions/operations.ts';
import { OF_PEOPLE } from './descriptions/people.ts';
import { OF_SHOPS } from './descriptions/shops.ts';

/** Who may call an operation and what happens then, where its declaration does not say it. */
export const DESCRIPTIONS: Vocabulary['descriptions'] = {
  ...OF_PEOPLE,
  ...OF_MONEY,
  ...OF_CHAINS,
  ...OF_SHOPS,
  ...OF_OPERATIONS,
};
