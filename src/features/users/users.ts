import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { userSchedules } from './jobs.ts';
import { userPages } from './links.ts';
import { type UserDeps, userRoutes } from './routes.ts';

export {
  activate,
  confirmationLink,
  createOnce,
  createUser,
  findUser,
  loginAddress,
  Name,
  NOT_SUBMITTED,
  recordVerification,
  TEMPORARY_NOTE,
  temporaryUntil,
  UNDECIDED,
  type VerificationStatus,
} from './accounts.ts';
export { addressApplier } from './address.ts';

/** People with an account: their profiles, and the links that were mailed to them. */
export const createUsers = (deps: UserDeps & Pick<Kernel, 'db'>): Feature => ({
  name: 'users',
  routes: userRoutes(deps),
  pages: userPages(),
  schedules: userSchedules(deps),
});
