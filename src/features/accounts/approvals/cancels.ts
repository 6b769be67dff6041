import type { Db } from '#kernel/db/db.ts';
import type { ApprovalMakers } from '#kernel/policies/approval-store.ts';

/** For suspensions. */
export interface CancelsApprovals {
  /** Those who made something that waits are stopped in this transaction: a job cancels it. None of it is approved since. */
  cancelApprovals(tx: Db, makers: ApprovalMakers): Promise<void>;
}
