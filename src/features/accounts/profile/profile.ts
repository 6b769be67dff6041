import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import { eraseJob, eraseSchedule } from './closing/erase.ts';
import { closingRoutes } from './closing/routes.ts';
import type { ProfileFeatureDeps } from './deps.ts';
import { endExportsSchedule, exportJob } from './exports/make-export.ts';
import { exportRoutes } from './exports/routes.ts';
import { profilePages } from './pages.ts';
import { PROFILE_PERSON_DATA } from './person-data.ts';
import { PROFILE_WORDS } from './reference.ts';
import { ownProfileRoutes } from './routes.ts';
import { forgetProfileChanges } from './store.ts';

export type { ProfileFeatureDeps } from './deps.ts';

const DAY_MS = 24 * 3600_000;

/** What people say of themselves, how they change it, take it along, and go. */
export function createProfile(deps: ProfileFeatureDeps): Feature {
  const exporting = exportJob(deps);
  const erasing = eraseJob(deps);
  return {
    name: 'profile',
    personData: PROFILE_PERSON_DATA,
    reference: PROFILE_WORDS,
    routes: [...ownProfileRoutes(deps), ...exportRoutes(deps, exporting), ...closingRoutes(deps)],
    jobs: [exporting, erasing],
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
      endExportsSchedule(deps),
      eraseSchedule(deps, erasing),
    ],
  };
}
