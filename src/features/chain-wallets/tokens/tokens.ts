import type { Feature } from '#kernel/feature.ts';
import { type TokenDeps, tokenRoutes } from './routes.ts';

/** Tokens that people add to their wallets. */
export const createTokens = (deps: TokenDeps): Feature => ({
  name: 'tokens',
  routes: tokenRoutes(deps),
});
