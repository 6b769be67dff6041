import type { Feature } from '#kernel/feature.ts';
import { TWO_FACTOR_EVENTS } from './events.ts';
import { TWO_FACTOR_PERSON_DATA } from './person-data.ts';
import { TWO_FACTOR_WORDS } from './reference.ts';
import { type TwoFactorRouteDeps, twoFactorRoutes } from './routes.ts';

export { secondFactorAdditions } from './additions.ts';
export { takeCode } from './code-proof.ts';
export { createLoginCodes, type LoginCodes } from './login-codes.ts';
export { removalApplier } from './removal.ts';
export { SEALED_FACTORS } from './second-factor.ts';
export { forgetChallenges, forgetLapsedChallenges } from './store.ts';

/** The second factor: an authenticator's codes and backup codes. */
export const createTwoFactor = (deps: TwoFactorRouteDeps): Feature => ({
  name: 'two-factor',
  personData: TWO_FACTOR_PERSON_DATA,
  reference: TWO_FACTOR_WORDS,
  routes: twoFactorRoutes(deps),
  events: TWO_FACTOR_EVENTS,
});
