import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { BREAK_EVENTS } from '#kernel/reconciliation/break-events.ts';
import { openBreaks, railProgress } from '#kernel/reconciliation/break-store.ts';
import type { Rail } from '#kernel/reconciliation/rail.ts';
import { reconcileRail } from '#kernel/reconciliation/reconcile.ts';
import { RECONCILIATION_WORDS } from './reference.ts';
import { breakRoutes } from './routes.ts';

type ReconciliationDeps = Pick<Kernel, 'db' | 'clock' | 'log' | 'metrics'> & {
  /** The rails of all features, this one among them. */
  rails(): readonly Rail[];
};

/** Compares our books with those of the other sides on a schedule, and lists the differences. */
export function createReconciliation(deps: ReconciliationDeps): Feature {
  measure(deps);
  return {
    name: 'reconciliation',
    reference: RECONCILIATION_WORDS,
    routes: breakRoutes(deps),
    events: BREAK_EVENTS,
    schedules: [
      defineSchedule({
        name: 'reconciliation',
        cron: '*/10 * * * *',
        run: ({ signal }) => reconcileAll(deps, deps.rails(), signal),
      }),
    ],
  };
}

/** All rails at once, since they mostly wait for the other sides; one that fails does not stop the others. */
async function reconcileAll(
  deps: ReconciliationDeps,
  rails: readonly Rail[],
  signal: AbortSignal,
): Promise<void> {
  const ends = await Promise.allSettled(rails.map((rail) => reconcileRail(deps, rail, { signal })));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

function measure({ metrics, db, clock, rails }: ReconciliationDeps): void {
  const breaks = (name: string, help: string, of: 'open' | 'oldest_s') =>
    metrics.gauge(name, help, ['rail', 'cause'], async () =>
      (await openBreaks(db)).map(({ rail, cause, [of]: value }) => ({
        labels: { rail, cause },
        value,
      })),
    );
  breaks('archipay_reconciliation_breaks', 'Open differences between two sides’ books', 'open');
  breaks('archipay_reconciliation_break_seconds', 'Age of the oldest of them', 'oldest_s');
  metrics.gauge(
    'archipay_reconciliation_behind_seconds',
    'How long ago both sides of a rail were last known',
    ['rail'],
    async () => {
      const names = rails().map(({ name }) => name);
      return (await railProgress(db, names)).map(({ rail, compared_until }) => ({
        labels: { rail },
        value: Math.max(0, clock.seconds() - Math.floor(Date.parse(compared_until) / 1000)),
      }));
    },
  );
}
