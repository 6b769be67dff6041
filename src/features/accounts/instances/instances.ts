import type { Feature } from '#kernel/feature.ts';
import { INSTANCE_EVENTS } from './events.ts';
import { INSTANCES_WORDS } from './reference.ts';
import { instanceRoutes } from './routes.ts';

/** The installations of a client. */
export const createInstances = (): Feature => ({
  name: 'instances',
  reference: INSTANCES_WORDS,
  routes: instanceRoutes(),
  events: INSTANCE_EVENTS,
});
