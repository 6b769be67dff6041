import { forgetChallenges } from '#features/accounts/two-factor/two-factor.ts';
import { lockUserWithAdmin, reinstateUser, suspendUser } from '#features/accounts/users/users.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { SuspensionOrder } from './order.ts';
import { type OutstandingDeps, voidOutstanding } from './outstanding.ts';
import { suspensionStateOf } from './state.ts';
import {
  insertSuspension,
  isImposedByClient,
  lastSuspensions,
  mayOperatorTakeOver,
  type SuspensionRecord,
} from './store.ts';

export type UserSuspensionDeps = OutstandingDeps & Pick<Kernel, 'sessions'>;
type Deps = UserSuspensionDeps;

/**
 * Suspends a user and ends their log-ins, also those that wait for a code. A suspended user stays so; the operator
 * takes over a suspension by a client's admin. Voids the user's orders, proposals and endpoints, and answers them.
 * Throws USER_NOT_FOUND and FORBIDDEN.
 */
export async function orderUserSuspension(
  deps: Deps,
  tx: Db,
  user_id: number,
  order: SuspensionOrder,
) {
  const { caller } = order;
  if (user_id === caller.user_id) throw fail('FORBIDDEN', 'Admins cannot suspend themselves');
  const user = await held(tx, user_id, order);
  const last = await lastOf(tx, user_id);
  const wasStopped = user.user_status === 'INACTIVE' || user.user_status === 'ERASED';
  // A user who was suspended by SQL has open proposals, too.
  const left = await voidOutstanding(deps, tx, user_id, order);
  if (wasStopped && !(caller.operator && mayOperatorTakeOver(last)))
    return { ...present(user_id, user.user_status, last), left };
  if (!wasStopped) {
    await suspendUser(tx, user_id);
    await endAll(deps, tx, user_id);
  }
  const stop = await record(deps, tx, user, { ...order, what: 'stopped' });
  return { ...present(user_id, wasStopped ? user.user_status : 'INACTIVE', stop), left };
}

/**
 * Reinstates a user; one who is not suspended stays as they are. Throws USER_NOT_FOUND, and FORBIDDEN for a
 * suspension by the operator.
 */
export async function orderUserReinstatement(
  deps: Deps,
  tx: Db,
  user_id: number,
  order: SuspensionOrder,
) {
  const user = await held(tx, user_id, order);
  const last = await lastOf(tx, user_id);
  if (user.user_status !== 'INACTIVE') return present(user_id, user.user_status, last);
  if (!order.caller.operator && !isImposedByClient(last))
    throw fail('FORBIDDEN', 'The operator has suspended this user and has to reinstate them');
  // A user who was suspended by SQL still has sessions.
  await endAll(deps, tx, user_id);
  const user_status = await reinstateUser(tx, user_id);
  return present(user_id, user_status, await record(deps, tx, user, { ...order, what: 'let_in' }));
}

/** Sessions, and log-ins that wait for a code. */
async function endAll({ sessions }: Deps, tx: Db, user_id: number): Promise<void> {
  await sessions.revokeOthers(tx, user_id);
  await forgetChallenges(tx, user_id);
}

type Held = NonNullable<Awaited<ReturnType<typeof lockUserWithAdmin>>['user']>;

async function held(tx: Db, user_id: number, { caller }: SuspensionOrder): Promise<Held> {
  const meeting = { user_id, by: caller.user_id };
  const { user, admin } = await lockUserWithAdmin(tx, tenantScopeOf(caller), meeting);
  if (!admin) throw fail('ACCOUNT_NOT_ACTIVE', 'Account is not active');
  if (!user) throw fail('USER_NOT_FOUND', 'User not found');
  if (user.role === 'admin' && (caller.team_role ?? 'owner') !== 'owner')
    throw fail('FORBIDDEN', 'Only owners suspend and reinstate the admins of a team');
  return user;
}

const lastOf = async (tx: Db, user_id: number) =>
  (await lastSuspensions(tx, 'user_id', [user_id])).get(user_id);

async function record(
  { credentials }: Deps,
  tx: Db,
  { user_id, client_id }: Held,
  { what, reason, caller, request }: SuspensionOrder & Pick<SuspensionRecord, 'what'>,
): Promise<SuspensionRecord> {
  const by = { by_user_id: caller.user_id, by_operator: caller.operator };
  const stop = await insertSuspension(tx, 'user_id', user_id, { what, reason, ...by });
  await logActivity(tx, {
    action: what === 'stopped' ? 'USER_STOPPED' : 'USER_LET_IN',
    actor: caller,
    client_id,
    subject_user_id: user_id,
    details: { reason },
    request,
  });
  credentials.forget('user', user_id);
  return stop;
}

const present = (user_id: number, user_status: string, last: SuspensionRecord | undefined) => ({
  user_id,
  user_status,
  ...suspensionStateOf(user_status === 'INACTIVE', last),
});
