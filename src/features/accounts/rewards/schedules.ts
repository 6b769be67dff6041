import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import {
  forgetLapsedEmailCodes,
  forgetLapsedPhoneCodes,
  forgetLapsedProofs,
} from './code-store.ts';
import { wishlistSchedule } from './wishlist.ts';

/** The hourly step of the wishlist, and the deletion of lapsed codes and proofs. */
export const rewardsSchedules = ({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Schedule[] => [
  wishlistSchedule({ db, clock }),
  defineSchedule({
    name: 'rewards.forget-codes',
    cron: '41 * * * *',
    async run() {
      const now = clock.now().toISOString();
      await forgetLapsedPhoneCodes(db, now);
      await forgetLapsedProofs(db, now);
      // A day longer, so that a late code is answered as expired, not as unknown.
      const dayAgo = new Date(clock.now().getTime() - 86_400_000).toISOString();
      await forgetLapsedEmailCodes(db, dayAgo);
    },
  }),
];
