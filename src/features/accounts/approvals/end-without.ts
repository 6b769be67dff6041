import type { Db } from '#kernel/db/db.ts';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { type Approval, type ApprovalMakers, lockOpenOf } from '#kernel/policies/approval-store.ts';
import type { EndedWithout } from '#kernel/policies/approvals.ts';
import { transact } from '#kernel/transact.ts';
import { type ApprovalDeps, endWithout } from './decide-approval.ts';

type Deps = ApprovalDeps & Pick<Kernel, 'clock' | 'db'>;

/** Whose approvals end, and since when they were stopped. */
export interface Cancelling {
  readonly makers: ApprovalMakers;
  /** What a reinstated maker has made since stays. */
  readonly until: string;
}

interface Ending {
  /** Locks the next one, without those numbers. */
  find(tx: Db, failed: readonly number[]): Promise<Approval | undefined>;
  readonly why: EndedWithout;
  readonly signal: AbortSignal;
}

/**
 * Ends them one by one, each in a transaction of its own: each gives its money back by a posting. One that fails keeps
 * none of the others; the first failure is thrown at the end.
 */
export async function endEach(deps: Deps, { find, why, signal }: Ending): Promise<void> {
  const failures: unknown[] = [];
  const failed: number[] = [];
  for (let serial: number | undefined = 0; serial !== undefined && !signal.aborted; ) {
    serial = undefined;
    try {
      await transact(deps.db, async (tx) => {
        const found = await find(tx, failed);
        serial = found?.serial;
        if (found) await endWithout(deps, tx, found, { why, now: deps.clock.now() });
      });
    } catch (error) {
      if (serial === undefined) throw error;
      failures.push(error);
      failed.push(serial);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Cancels what stopped people had made. */
export const cancelJob = (deps: Deps): Job<Cancelling> =>
  defineJob({
    name: 'approvals.cancel',
    concurrency: 1,
    async run({ makers, until }, { signal }) {
      const find = (tx: Db, failed: readonly number[]) => lockOpenOf(tx, { makers, until }, failed);
      await endEach(deps, { find, why: 'CANCELLED', signal });
      return undefined;
    },
  });
