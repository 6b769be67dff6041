import type { Feature } from '#kernel/feature.ts';
import { type SessionDeps, sessionRoutes } from './routes.ts';

/** Where somebody is logged in, and how to end that. */
export const createSessions = (deps: SessionDeps): Feature => ({
  name: 'sessions',
  routes: sessionRoutes(deps),
});
