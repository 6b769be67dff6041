import type { Db } from '#kernel/db/db.ts';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import type { ApprovalSubject, EndedWithout } from '#kernel/policies/approvals.ts';
import { transact } from '#kernel/transact.ts';
import type { WithdrawalDeps } from './deps.ts';
import { endWithdrawal } from './end.ts';
import { emitWithdrawal } from './events.ts';
import { WITHDRAWAL_OBJECT } from './policy.ts';
import { moveWithdrawal } from './store.ts';

interface Refused {
  readonly our_reference: string;
  readonly why: EndedWithout;
}

const WHY: Readonly<Record<EndedWithout, string>> = {
  REJECTED: 'It was not approved',
  EXPIRED: 'It was not approved in time',
  CANCELLED: 'Its user was stopped',
};

/** A job, since several approvals may end in one transaction, which posts once. */
export const refuseWithdrawalJob = (deps: WithdrawalDeps): Job<Refused> =>
  defineJob<Refused>({
    name: 'withdrawals.refuse',
    async run({ our_reference, why }) {
      const failure = {
        code: why === 'EXPIRED' ? 'APPROVAL_EXPIRED' : why,
        message: WHY[why],
        retryable: false,
      };
      const end = { from: 'PENDING_APPROVAL', to: 'CANCELLED', failure } as const;
      await transact(deps.db, (tx) => endWithdrawal(deps, tx, our_reference, end));
      return undefined;
    },
  });

/** What becomes of withdrawals that wait for an approval: once approved they are begun by the minute's schedule. */
export const withdrawalApprovals = (
  { jobs }: WithdrawalDeps,
  refusing: Job<Refused>,
): ApprovalSubject => ({
  object: WITHDRAWAL_OBJECT,
  async approved(tx: Db, { object_id: our_reference }) {
    const known = { our_reference, status: 'PENDING_APPROVAL' as const };
    const row = await moveWithdrawal(tx, known, 'PENDING');
    if (row) await emitWithdrawal(tx, 'pending', row);
  },
  async cancelled(tx, { object_id: our_reference }, why) {
    await jobs.enqueue(tx, refusing, { our_reference, why }, { key: our_reference });
  },
});
