import type { Feature } from '#kernel/feature.ts';
import { STOPS_WORDS } from './reference.ts';
import { type SuspensionDeps, suspensionRoutes } from './routes.ts';

export { OUTSTANDING, voidProposedChanges } from './outstanding.ts';
export { SUSPENSION_STATE, type SuspensionState, withSuspensions } from './state.ts';

/** Suspended clients, users and wallets, with actor and reason. */
export const createSuspensions = (deps: SuspensionDeps): Feature => ({
  name: 'suspensions',
  reference: STOPS_WORDS,
  routes: suspensionRoutes(deps),
});
