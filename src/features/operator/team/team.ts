import type { Feature } from '#kernel/feature.ts';
import type { TeamDeps } from './deps.ts';
import { TEAM_EVENTS } from './events.ts';
import { joinPage } from './page.ts';
import { TEAM_PERSON_DATA } from './person-data.ts';
import { TEAM_WORDS } from './reference.ts';
import { teamRoutes } from './routes.ts';

/** The people of a client who have a say in it: invited by a link, each in a role, until an owner removes them. */
export const createTeam = (deps: TeamDeps): Feature => ({
  name: 'team',
  personData: TEAM_PERSON_DATA,
  reference: TEAM_WORDS,
  routes: teamRoutes(deps),
  pages: [joinPage(deps)],
  events: TEAM_EVENTS,
});
