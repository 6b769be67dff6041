import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import { PASSKEY_EVENTS } from './events.ts';
import { type PasskeyLogInDeps, passkeyLogInRoutes } from './log-in-routes.ts';
import { PASSKEYS_PERSON_DATA } from './person-data.ts';
import { PASSKEYS_WORDS } from './reference.ts';
import { passkeyRoutes } from './routes.ts';
import { forgetPasskeyChallenges } from './store.ts';
import { wellKnownFiles } from './well-known.ts';

export { passkeyAdditions } from './additions.ts';
export type { PasskeyResponse } from './ceremony.ts';
export { type PasskeyProofDeps, provePasskey } from './prove.ts';
export { PasskeyResponseInput } from './shapes.ts';

/** Passkeys: the way in, both factors at once, and a proof of an operation. */
export const createPasskeys = (deps: PasskeyLogInDeps): Feature => ({
  name: 'passkeys',
  personData: PASSKEYS_PERSON_DATA,
  reference: PASSKEYS_WORDS,
  routes: [...passkeyRoutes(deps), ...passkeyLogInRoutes(deps)],
  pages: wellKnownFiles(deps.config),
  events: PASSKEY_EVENTS,
  schedules: [
    defineSchedule({
      name: 'passkeys.forget',
      cron: '24 * * * *',
      run: () => forgetPasskeyChallenges(deps.db, deps.clock.now().toISOString()),
    }),
  ],
});
