import type { Feature } from '#kernel/feature.ts';
import { SUSPENSIONS_PERSON_DATA } from './person-data.ts';
import { STOPS_WORDS } from './reference.ts';
import { type SuspensionDeps, suspensionRoutes } from './routes.ts';

export { OUTSTANDING, voidProposedChanges } from './outstanding.ts';
export { SUSPENSION_STATE, type SuspensionState, withSuspensions } from './state.ts';

/** Suspended clients, users and wallets, with actor and reason. */
export const createSuspensions = (deps: SuspensionDeps): Feature => ({
  name: 'suspensions',
  personData: SUSPENSIONS_PERSON_DATA,
  reference: STOPS_WORDS,
  routes: suspensionRoutes(deps),
});
