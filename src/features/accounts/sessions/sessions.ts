import { SESSION_EVENTS } from '#kernel/access/session-events.ts';
import type { Feature } from '#kernel/feature.ts';
import { SESSIONS_PERSON_DATA } from './person-data.ts';
import { SESSIONS_WORDS } from './reference.ts';
import { type SessionDeps, sessionRoutes } from './routes.ts';

/** A user's open sessions, and how to end them. */
export const createSessions = (deps: SessionDeps): Feature => ({
  name: 'sessions',
  personData: SESSIONS_PERSON_DATA,
  reference: SESSIONS_WORDS,
  routes: sessionRoutes(deps),
  events: SESSION_EVENTS,
});
