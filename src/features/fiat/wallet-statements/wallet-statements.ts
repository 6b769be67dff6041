import type { Feature } from '#kernel/feature.ts';
import { WALLET_STATEMENTS_WORDS } from './reference.ts';
import { type StatementDeps, statementRoute } from './routes.ts';

/** Statements of wallets over days, as banks write them. */
export const createWalletStatements = (deps: StatementDeps): Feature => ({
  name: 'wallet-statements',
  reference: WALLET_STATEMENTS_WORDS,
  routes: [statementRoute(deps)],
});
