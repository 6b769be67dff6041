import { lapsePasswords } from '#features/accounts/users/users.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';

const BATCH = 500;

/** Log-ins refuse a lapsed password to the second; this deletes it for all other uses. */
export const lapseSchedule = ({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Schedule =>
  defineSchedule({
    name: 'sign-in.lapse-passwords',
    cron: '23 * * * *',
    async run() {
      while ((await lapsePasswords(db, clock.now(), BATCH)) === BATCH);
    },
  });
