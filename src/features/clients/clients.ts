import type { Feature } from '#kernel/feature.ts';
import type { AccountDeps } from './account-deps.ts';
import { clientRoutes } from './routes.ts';

export {
  type AccountDeps,
  approveClient,
  isPspA,
  type Psp,
  requirePsp,
  verifyCompany,
} from './account-deps.ts';
export { nextClientCode } from './store.ts';

/** The organisations that use the platform. */
export const createClients = (deps: AccountDeps): Feature => ({
  name: 'clients',
  routes: clientRoutes(deps),
});
