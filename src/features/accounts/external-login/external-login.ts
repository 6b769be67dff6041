import type { Feature } from '#kernel/feature.ts';
import { EXTERNAL_LOGIN_EVENTS } from './events.ts';
import { EXTERNAL_LOGIN_PERSON_DATA } from './person-data.ts';
import { EXTERNAL_LOGIN_WORDS } from './reference.ts';
import { type ExternalLoginDeps, externalLoginRoutes } from './routes.ts';

export { externalAdditions } from './additions.ts';
export { linkApplier } from './link.ts';
export { linkedOwners } from './store.ts';

/** Log-in by an account at an external provider. */
export const createExternalLogin = (deps: ExternalLoginDeps): Feature => ({
  name: 'external-login',
  personData: EXTERNAL_LOGIN_PERSON_DATA,
  reference: EXTERNAL_LOGIN_WORDS,
  routes: externalLoginRoutes(deps),
  events: EXTERNAL_LOGIN_EVENTS,
});
