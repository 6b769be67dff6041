import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { forgetCreations } from './store.ts';

/** A little longer than answers are kept, so that no repetition comes too late. */
const KEPT_MS = 25 * 3600 * 1000;

export const userSchedules = ({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Schedule[] => [
  defineSchedule({
    name: 'users.forget-creations',
    cron: '43 * * * *',
    async run() {
      await forgetCreations(db, new Date(clock.now().getTime() - KEPT_MS));
    },
  }),
];
