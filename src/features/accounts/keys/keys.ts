import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { KEY_EVENTS } from './events.ts';
import { expiringSchedule } from './expiring.ts';
import { KEYS_PERSON_DATA } from './person-data.ts';
import { KEYS_WORDS } from './reference.ts';
import { type KeyDeps, keyRoutes } from './routes.ts';

export { keyAdditions } from './additions.ts';
export { endKeyOfApp, keepKeyOfApp } from './of-app.ts';
export { endKeysOf, keepKeysOf, keysOf } from './of-user.ts';

/** API keys. */
export const createKeys = (deps: KeyDeps & Pick<Kernel, 'db'>): Feature => ({
  name: 'keys',
  personData: KEYS_PERSON_DATA,
  reference: KEYS_WORDS,
  routes: keyRoutes(deps),
  events: KEY_EVENTS,
  schedules: [expiringSchedule(deps)],
});
