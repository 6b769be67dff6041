import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { resendJob } from './confirm.ts';
import { confirmRoutes } from './confirm-routes.ts';
import { USER_EVENTS } from './events.ts';
import { userSchedules } from './jobs.ts';
import { userPages } from './pages.ts';
import { USER_PERSON_DATA } from './person-data.ts';
import { type UserDeps, userRoutes } from './routes.ts';

export {
  confirmationLink,
  createOnce,
  createUser,
  loginAddress,
  type NewUser,
  SEALED_PASSWORDS,
  TEMPORARY_NOTES,
  temporaryUntil,
} from './accounts.ts';
export { activate } from './activate.ts';
export { type AddressDeps, addressApplier, changeUser } from './address.ts';
export { emitUser } from './events.ts';
export {
  dropResetLink,
  findResetLink,
  forgetLapsedLinks,
  insertResetLink,
  takeResetLink,
} from './link-store.ts';

import { USERS_WORDS } from './reference.ts';

export { forgetLapsedOtps } from './otp-store.ts';
export {
  changePasswordHash,
  lapsePasswords,
  resetPasswordHash,
  useTemporary,
} from './password-store.ts';
export { findUser, insertUser, isUserEmailTaken } from './store.ts';
export { eraseUser, lockUserWithAdmin, reinstateUser, suspendUser } from './suspension-store.ts';
export { endMembership, setTeamRole } from './team-store.ts';

/** Users with an account: their profiles, and the links of mails to them. */
export function createUsers(
  deps: UserDeps & Pick<Kernel, 'db' | 'jobs' | 'log' | 'credentials'>,
): Feature {
  const resend = resendJob(deps);
  return {
    name: 'users',
    personData: USER_PERSON_DATA,
    reference: USERS_WORDS,
    routes: [...userRoutes(deps), ...confirmRoutes({ ...deps, resend })],
    pages: userPages(deps),
    jobs: [resend],
    schedules: userSchedules(deps),
    events: USER_EVENTS,
  };
}
