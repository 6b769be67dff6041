import type { Feature } from '#kernel/feature.ts';
import type { BackofficeDeps } from './deps.ts';
import { DESK_WORDS } from './reference.ts';
import { backofficeRoutes } from './routes.ts';

export type { BackofficeDeps } from './deps.ts';
export type { SumDifference, FlowEvent, OpenWork, Posting, Stalled, WorkHistory } from './open-work.ts';
export { needsPerson } from './open-work.ts';

/** What the operator's people ask on call: what waits for them, and what has happened to one thing. */
export const createBackoffice = (deps: BackofficeDeps): Feature => ({
  name: 'backoffice',
  reference: DESK_WORDS,
  routes: backofficeRoutes(deps, {
    ...deps,
    objects: () => [...new Set(deps.types().map(({ object }) => object))],
  }),
});
