import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { dropApproval } from '#kernel/policies/approvals.ts';
import type { PayingDeps } from './deps.ts';
import { endWithdrawal } from './end.ts';
import { WITHDRAWAL_OBJECT } from './policy.ts';
import { type BankWithdrawal, lockWithdrawal } from './store.ts';

const CANCELLABLE = ['PENDING_APPROVAL', 'PENDING'] as const;

/** Cancels one that waits. The same again answers it; once the bank is asked it is 409. Posts, last. */
export async function cancelWithdrawal(
  deps: PayingDeps,
  tx: Db,
  { our_reference: id, user_id }: Pick<BankWithdrawal, 'our_reference' | 'user_id'>,
  by: { readonly caller: UserCaller; readonly request: RequestFacts },
): Promise<BankWithdrawal> {
  // An approval is decided under its own lock, and takes the withdrawal's after that: so does this.
  await dropApproval(tx, { type: WITHDRAWAL_OBJECT, id }, deps.clock.now());
  const locked = await lockWithdrawal(tx, id);
  if (!locked) throw new Error(`There is no withdrawal ${id}`);
  if (locked.status === 'CANCELLED') return locked;
  const from = CANCELLABLE.find((status) => status === locked.status);
  if (from === undefined) throw notAllowedIn(locked.status, CANCELLABLE);
  await logActivity(tx, {
    action: 'WITHDRAWAL_CANCELLED',
    actor: by.caller,
    subject_user_id: user_id,
    details: { withdrawal_id: id },
    request: by.request,
  });
  const ended = await endWithdrawal(deps, tx, id, { from, to: 'CANCELLED' });
  if (!ended) throw new Error(`${id} is locked and has moved`);
  return ended;
}
