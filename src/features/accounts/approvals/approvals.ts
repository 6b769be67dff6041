import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { lockLapsed } from '#kernel/policies/approval-store.ts';
import type { CancelsApprovals } from './cancels.ts';
import { type DecidesApprovals, decideApproval } from './decide-approval.ts';
import { type Cancelling, cancelJob, endEach } from './end-without.ts';
import { APPROVALS_PERSON_DATA } from './person-data.ts';
import { APPROVALS_WORDS } from './reference.ts';
import { type ApprovalRouteDeps, approvalRoutes } from './routes.ts';

export type { CancelsApprovals } from './cancels.ts';
export type { DecidesApprovals } from './decide-approval.ts';

/** What policies make wait for other people. */
export function createApprovals(
  deps: ApprovalRouteDeps & Pick<Kernel, 'db' | 'jobs'>,
): Feature & CancelsApprovals & DecidesApprovals {
  const job = cancelJob(deps);
  return {
    name: 'approvals',
    personData: APPROVALS_PERSON_DATA,
    reference: APPROVALS_WORDS,
    routes: approvalRoutes(deps),
    jobs: [job],
    schedules: [
      defineSchedule({
        name: 'approvals.expire',
        cron: '* * * * *',
        run: ({ signal }) => endEach(deps, { find: lockLapsed, why: 'EXPIRED', signal }),
      }),
    ],
    decideApproval: (tx, deciding) => decideApproval(deps, tx, deciding),
    async cancelApprovals(tx, makers) {
      const payload: Cancelling = { makers, until: deps.clock.now().toISOString() };
      await deps.jobs.enqueue(tx, job, payload);
    },
  };
}
