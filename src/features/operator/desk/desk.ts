import type { Feature } from '#kernel/feature.ts';
import type { DeskDeps } from './deps.ts';
import { DESK_WORDS } from './reference.ts';
import { deskRoutes } from './routes.ts';

export type { DeskDeps } from './deps.ts';
export type { Discrepant, FlowEvent, OpenWork, Posting, Stalled, Story } from './told.ts';
export { needsPerson } from './told.ts';

/** What the operator's people ask on call: what waits for them, and what has happened to one thing. */
export const createDesk = (deps: DeskDeps): Feature => ({
  name: 'desk',
  reference: DESK_WORDS,
  routes: deskRoutes(deps, {
    ...deps,
    objects: () => [...new Set(deps.types().map(({ object }) => object))],
  }),
});
