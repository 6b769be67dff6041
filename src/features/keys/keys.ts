import type { Feature } from '#kernel/feature.ts';
import { KEY_EVENTS } from './events.ts';
import { type KeyDeps, keyRoutes } from './routes.ts';

export { keyAdditions } from './additions.ts';

/** API keys. */
export const createKeys = (deps: KeyDeps): Feature => ({
  name: 'keys',
  routes: keyRoutes(deps),
  events: KEY_EVENTS,
});
