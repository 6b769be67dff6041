import type { Feature } from '#kernel/feature.ts';
import { STOPS_WORDS } from './reference.ts';
import { type StopDeps, stopRoutes } from './routes.ts';

export { STOP_STATE, type StopState, withStops } from './state.ts';

/** Clients and people that are let in no more, by whom and why. */
export const createStops = (deps: StopDeps): Feature => ({
  name: 'stops',
  reference: STOPS_WORDS,
  routes: stopRoutes(deps),
});
