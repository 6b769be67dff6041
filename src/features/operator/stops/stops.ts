import type { Feature } from '#kernel/feature.ts';
import { type StopDeps, stopRoutes } from './routes.ts';

export { STOP_STATE, type StopState, withStops } from './state.ts';

/** Clients and people that are let in no more, by whom and why. */
export const createStops = (deps: StopDeps): Feature => ({
  name: 'stops',
  routes: stopRoutes(deps),
});
