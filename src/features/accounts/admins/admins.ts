import type { Feature } from '#kernel/feature.ts';
import { ADMINS_WORDS } from './reference.ts';
import { type AdminDeps, adminRoutes } from './routes.ts';

/** Actions of admins on the users of their client. */
export const createAdmins = (deps: AdminDeps): Feature => ({
  name: 'admins',
  reference: ADMINS_WORDS,
  routes: adminRoutes(deps),
});
