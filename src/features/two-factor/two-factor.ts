import type { Feature } from '#kernel/feature.ts';
import { type TwoFactorRouteDeps, twoFactorRoutes } from './routes.ts';

export { secondFactorAdditions } from './additions.ts';
export { takeCode } from './code-proof.ts';
export { createLoginCodes, type LoginCodes } from './login-codes.ts';
export { removalApplier } from './removal.ts';
export { forgetLapsedChallenges } from './store.ts';

/** The second factor: an authenticator's codes and backup codes. */
export const createTwoFactor = (deps: TwoFactorRouteDeps): Feature => ({
  name: 'two-factor',
  routes: twoFactorRoutes(deps),
});
