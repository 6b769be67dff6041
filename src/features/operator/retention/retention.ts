import { forgetLapsedChallenges } from '#features/accounts/two-factor/two-factor.ts';
import { forgetLapsedLinks, forgetLapsedOtps } from '#features/accounts/users/users.ts';
import { forgetReleased } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { forgetFailures } from '#kernel/access/attempts.ts';
import { forgetNetworks } from '#kernel/access/known-networks.ts';
import { forgetSessions } from '#kernel/access/sessions.ts';
import { forgetEvents } from '#kernel/events/event-log.ts';
import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { forgetSpent } from '#kernel/quota/quota-store.ts';
import { foldTallies } from '#kernel/tallies/tallies.ts';
import { transact } from '#kernel/transact.ts';

type RetentionDeps = Pick<Kernel, 'config' | 'db' | 'clock' | 'idempotency'>;

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Deletes rows after their retention time, so that tables of short-lived rows stay small. */
export const createRetention = ({ config, db, clock, idempotency }: RetentionDeps): Feature => ({
  name: 'retention',
  schedules: [
    defineSchedule({
      name: 'retention.tallies',
      cron: '* * * * *',
      run: () => foldTallies(db, clock.now()),
    }),
    defineSchedule({
      name: 'retention',
      cron: '17 * * * *',
      async run() {
        const before = (ms: number) => new Date(clock.now().getTime() - ms).toISOString();
        await idempotency.prune();
        await forgetFailures(db, before(DAY_MS));
        await forgetSpent(db, clock.now());
        await forgetLapsedChallenges(db, before(DAY_MS));
        await forgetLapsedOtps(db, before(DAY_MS));
        await forgetReleased(db);
        await forgetNetworks(db, clock.now());
        // A week longer, so that a late click is answered "expired" and not "unknown".
        await forgetLapsedLinks(db, before(7 * DAY_MS));
        await forgetSessions(db, before(30 * DAY_MS));
        const oldest = new Date(before(config.EVENTS_RETENTION_DAYS * DAY_MS));
        await transact(db, (tx) => forgetEvents(tx, oldest));
      },
    }),
  ],
});
