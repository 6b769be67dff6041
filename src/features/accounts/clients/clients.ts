import type { Feature } from '#kernel/feature.ts';
import type { AccountDeps } from './account-deps.ts';
import { CLIENT_EVENTS } from './events.ts';
import { CLIENTS_WORDS } from './reference.ts';
import { clientRoutes } from './routes.ts';

export type { AccountDeps } from './account-deps.ts';
export { approveClient, verifyCompany } from './approve.ts';
export {
  type AccountUser,
  insertAccountUser,
  type NewAccount,
  type NewAccountActor,
  prepareAccount,
} from './new-account.ts';
export { nextClientCode, type Psp } from './store.ts';
export {
  type LockedClient,
  lockClient,
  reinstateClient,
  suspendClient,
} from './suspension-store.ts';

/** The organisations that use the platform. */
export const createClients = (deps: AccountDeps): Feature => ({
  name: 'clients',
  reference: CLIENTS_WORDS,
  routes: clientRoutes(deps),
  events: CLIENT_EVENTS,
});
