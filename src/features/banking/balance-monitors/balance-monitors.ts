import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { BALANCE_MONITOR_EVENTS } from './events.ts';
import { BALANCE_MONITORS_PERSON_DATA } from './person-data.ts';
import { BALANCE_MONITORS_WORDS } from './reference.ts';
import { type BalanceMonitorDeps, balanceMonitorRoutes } from './routes.ts';
import { watchBalances } from './watch.ts';

/** Events for balances that go below or above an amount. */
export const createBalanceMonitors = (deps: BalanceMonitorDeps & Pick<Kernel, 'db'>): Feature => ({
  name: 'balance-monitors',
  personData: BALANCE_MONITORS_PERSON_DATA,
  reference: BALANCE_MONITORS_WORDS,
  routes: balanceMonitorRoutes(deps),
  events: BALANCE_MONITOR_EVENTS,
  schedules: [
    defineSchedule({
      name: 'balance-monitors.watch',
      cron: '*/10 * * * * *',
      attempts: 1,
      run: ({ signal }) => watchBalances(deps.db, { signal }),
    }),
  ],
});
