import type { Feature } from '#kernel/feature.ts';
import type { BackofficeDeps } from './deps.ts';
import { DESK_WORDS } from './reference.ts';
import { backofficeRoutes } from './routes.ts';

export type { BackofficeDeps } from './deps.ts';
export type { OpenWork, Stalled, SumDifference } from './open-work.ts';
export { needsPerson } from './open-work.ts';

/** What the operator's staff reads on call: open work that needs a person, and the timeline of an object. */
export const createBackoffice = (deps: BackofficeDeps): Feature => ({
  name: 'backoffice',
  reference: DESK_WORDS,
  routes: backofficeRoutes(deps, {
    ...deps,
    objects: () => [...new Set(deps.types().map(({ object }) => object))],
  }),
});
