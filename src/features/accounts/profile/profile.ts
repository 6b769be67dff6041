import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { ProfileFeatureDeps } from './deps.ts';
import { profilePages } from './pages.ts';
import { PROFILE_WORDS } from './reference.ts';
import { ownProfileRoutes } from './routes.ts';
import { forgetProfileChanges } from './store.ts';

const DAY_MS = 24 * 3600_000;

/** What people say of themselves, and how they change it. */
export const createProfile = (deps: ProfileFeatureDeps): Feature => ({
  name: 'profile',
  reference: PROFILE_WORDS,
  routes: ownProfileRoutes(deps),
  pages: profilePages(deps),
  schedules: [
    defineSchedule({
      name: 'profile.forget',
      cron: '26 * * * *',
      run: () =>
        forgetProfileChanges(
          deps.db,
          new Date(deps.clock.now().getTime() - 7 * DAY_MS).toISOString(),
        ),
    }),
  ],
});
