import type { Feature } from '#kernel/feature.ts';
import { TOKENS_WORDS } from './reference.ts';
import { type TokenDeps, tokenRoutes } from './routes.ts';

/** Tokens that people add to their wallets. */
export const createTokens = (deps: TokenDeps): Feature => ({
  name: 'tokens',
  reference: TOKENS_WORDS,
  routes: tokenRoutes(deps),
});
