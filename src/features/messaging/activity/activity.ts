import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { ACTIVITY_PERSON_DATA } from './person-data.ts';
import { sealOnward } from './seals.ts';

export { type AuditVerification, verifyAudit } from './seals.ts';
export {
  type Activity,
  listActivityAudit,
  listOwnActivity,
  logActivities,
  logActivity,
} from './store.ts';

/** The audit log: every feature writes to it, and none changes a line. */
export const createActivity = (deps: Pick<Kernel, 'db' | 'vault' | 'log'>): Feature => ({
  name: 'activity',
  personData: ACTIVITY_PERSON_DATA,
  schedules: [
    defineSchedule({ name: 'activity.seal', cron: '*/10 * * * *', run: () => sealOnward(deps) }),
  ],
});
