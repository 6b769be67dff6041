import type { Feature } from '#kernel/feature.ts';
import type { AccountDeps } from './account-deps.ts';
import { clientRoutes } from './routes.ts';

export type { AccountDeps } from './account-deps.ts';
export { isPspA, requirePsp } from './psps.ts';
export { approveClient, nextClientCode, type Psp, verifyCompany } from './store.ts';

/** The organisations that use the platform. */
export const createClients = (deps: AccountDeps): Feature => ({
  name: 'clients',
  routes: clientRoutes(deps),
});
