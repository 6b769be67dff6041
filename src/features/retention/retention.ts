import { forgetReleased } from '#features/wallet-spending/wallet-spending.ts';
import { forgetSpent } from '#kernel/access/budgets.ts';
import { forgetNetworks } from '#kernel/access/known-networks.ts';
import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';

type RetentionDeps = Pick<Kernel, 'db' | 'clock' | 'idempotency'>;

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Forgets what has served its time, so that tables of short-lived rows stay small. */
export const createRetention = ({ db, clock, idempotency }: RetentionDeps): Feature => ({
  name: 'retention',
  schedules: [
    defineSchedule({
      name: 'retention',
      cron: '17 * * * *',
      async run() {
        const before = (ms: number) => new Date(clock.now().getTime() - ms).toISOString();
        await idempotency.prune();
        await db.deleteFrom('login_failures').where('at', '<', before(DAY_MS)).execute();
        await forgetSpent(db, clock.now());
        await db.deleteFrom('login_challenges').where('expires_at', '<', before(DAY_MS)).execute();
        await db.deleteFrom('user_otps').where('expires_at', '<', before(DAY_MS)).execute();
        await forgetReleased(db);
        await forgetNetworks(db, clock.now());
        // A week longer, so that a late click is told "expired" and not "never heard of it".
        await db
          .deleteFrom('user_links')
          .where('expires_at', '<', before(7 * DAY_MS))
          .execute();
        await db
          .deleteFrom('sessions')
          .where('expires_at', '<', before(30 * DAY_MS))
          .execute();
      },
    }),
  ],
});
