import type { Feature } from '#kernel/feature.ts';
import { type KeyDeps, keyRoutes } from './routes.ts';

export { keyAdditions } from './additions.ts';

/** API keys. */
export const createKeys = (deps: KeyDeps): Feature => ({ name: 'keys', routes: keyRoutes(deps) });
