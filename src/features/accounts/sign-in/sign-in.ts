import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { signInPages } from './pages.ts';
import { type ResetLinkDeps, resetLinkJob } from './reset-password.ts';
import { type SignInDeps, signInRoutes } from './routes.ts';
import { lapseSchedule } from './temporary-passwords.ts';

export { allAdditions } from './added-since.ts';
export {
  completeLogIn,
  logInByPassword,
  type PasswordLogIn,
  type PasswordLogInDeps,
  refuseInactive,
} from './log-in.ts';
export { findLogin, type Login } from './store.ts';

import { SIGN_IN_WORDS } from './reference.ts';

/** Log-in by password, and the reset of a forgotten one. */
export function createSignIn(deps: SignInDeps & ResetLinkDeps & Pick<Kernel, 'db'>): Feature {
  const resetLinks = resetLinkJob(deps);
  return {
    name: 'sign-in',
    reference: SIGN_IN_WORDS,
    routes: signInRoutes({ ...deps, resetLinks }),
    pages: signInPages(deps),
    jobs: [resetLinks],
    schedules: [lapseSchedule(deps)],
  };
}
