import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { lapsedApprovals } from '#kernel/policies/approval-store.ts';
import { transact } from '#kernel/transact.ts';
import { endWithout } from './decide-approval.ts';
import { APPROVALS_WORDS } from './reference.ts';
import { type ApprovalRouteDeps, approvalRoutes } from './routes.ts';

export { type ApprovalDeps, cancelApprovalsOf } from './decide-approval.ts';

const AT_ONCE = 200;

/** What policies make wait for other people. */
export function createApprovals(deps: ApprovalRouteDeps & Pick<Kernel, 'db'>): Feature {
  const { db, clock } = deps;
  return {
    name: 'approvals',
    reference: APPROVALS_WORDS,
    routes: approvalRoutes(deps),
    schedules: [
      defineSchedule({
        name: 'approvals.expire',
        cron: '* * * * *',
        async run({ signal }) {
          for (let ended = AT_ONCE; ended === AT_ONCE && !signal.aborted; )
            ended = await transact(db, async (tx) => {
              const rows = await lapsedApprovals(tx, AT_ONCE);
              const now = clock.now();
              for (const row of rows) await endWithout(deps, tx, row, { why: 'EXPIRED', now });
              return rows.length;
            });
        },
      }),
    ],
  };
}
