import type { Messages } from '#features/messaging/messages/messages.ts';
import { forgetPartitions, providePartitions } from '#kernel/db/partition-store.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { transact } from '#kernel/transact.ts';
import { disabled } from './event-types.ts';
import { mailOwners } from './owner-mails.ts';
import { endpointInEvents } from './presenters.ts';
import { DISABLE_AFTER_MS, WARN_AFTER_MS } from './schedule.ts';
import { disableWebhook, listFailing, takeWarnings } from './status-store.ts';

export type WatchDeps = Pick<Kernel, 'db' | 'clock' | 'vault'> & { readonly messages: Messages };

/** Endpoints of one run. */
const AT_ONCE = 500;
const DAY_MS = 24 * 3_600_000;
const ATTEMPTS = 'webhooks.attempts';
/** Of attempts. */
const KEPT_DAYS = 30;

/** Warns owners of failing endpoints, disables those that fail for too long, and deletes old attempts. */
export const watchSchedules = (deps: WatchDeps): Schedule[] => [
  defineSchedule({
    name: 'webhooks.watch',
    cron: '* * * * *',
    async run() {
      await disableFailed(deps);
      await warn(deps);
    },
  }),
  defineSchedule({
    name: 'webhooks.forget',
    cron: '23 * * * *',
    async run() {
      const now = deps.clock.now();
      const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
      await transact(deps.db, (tx) => providePartitions(tx, ATTEMPTS, now));
      await transact(deps.db, (tx) => forgetPartitions(tx, ATTEMPTS, before));
    },
  }),
];

async function disableFailed({ db, clock, vault, messages }: WatchDeps): Promise<void> {
  const since = new Date(clock.now().getTime() - DISABLE_AFTER_MS);
  for (const { endpoint_id } of await listFailing(db, since, AT_ONCE))
    await transact(db, async (tx) => {
      const endpoint = await disableWebhook(tx, endpoint_id, 'failing');
      if (!endpoint) return;
      const data = endpointInEvents(endpoint, vault);
      emit(tx, disabled, { client_id: endpoint.client_id, id: endpoint_id, data });
      await mailOwners(tx, messages, endpoint, 'failing');
    });
}

async function warn({ db, clock, messages }: WatchDeps): Promise<void> {
  for (const [warnings, afterMs] of WARN_AFTER_MS.entries()) {
    const before = new Date(clock.now().getTime() - afterMs);
    await transact(db, async (tx) => {
      for (const endpoint of await takeWarnings(tx, { before, warnings, limit: AT_ONCE }))
        await mailOwners(tx, messages, endpoint, warnings === 0 ? 'first' : 'second');
    });
  }
}
