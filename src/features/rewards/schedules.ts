import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { wishlistSchedule } from './wishlist.ts';

export const rewardsSchedules = ({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Schedule[] => [
  wishlistSchedule({ db, clock }),
  defineSchedule({
    name: 'rewards.forget-codes',
    cron: '41 * * * *',
    async run() {
      const now = clock.now().toISOString();
      await db.deleteFrom('phone_codes').where('expires_at', '<=', now).execute();
      // A day longer, so that somebody slow is told that the code has expired.
      const dayAgo = new Date(clock.now().getTime() - 86_400_000).toISOString();
      await db.deleteFrom('userx_email_codes').where('expires_at', '<=', dayAgo).execute();
    },
  }),
];
