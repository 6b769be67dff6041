import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { emitUser } from './events.ts';

/** A user whose row is locked. */
export type LockedUser = Row<'users', 'user_id' | 'client_id' | 'user_status'>;

interface Meeting {
  readonly user_id: number;
  /** The admin who requests it. */
  readonly by: number;
}

/**
 * Locks a user and the requesting admin until the transaction ends, in the order of their ids: of two admins who
 * suspend each other one comes first, and the other is no admin any longer. Nothing for a user out of reach.
 */
export async function lockUserWithAdmin(tx: Db, reach: TenantScope, { user_id, by }: Meeting) {
  const held = await tx
    .selectFrom('users')
    .select(['user_id', 'client_id', 'user_status', 'role'])
    .where(({ and, eb, or, ref }) =>
      or([
        and([eb('user_id', '=', by), eb('user_status', '=', 'ACTIVE'), eb('role', '=', 'admin')]),
        and([eb('user_id', '=', user_id), inTenantScope(reach, ref('user_id'), ref('client_id'))]),
      ]),
    )
    .orderBy('user_id')
    .forNoKeyUpdate()
    .execute();
  const person = (id: number) => held.find((one) => one.user_id === id);
  return { user: person(user_id), admin: person(by) };
}

/** For good: the account has no log-in any more, and nothing is sent to it. The caller ends its sessions. */
export const eraseUser = (tx: Db, user_id: number): Promise<unknown> =>
  run(tx, `update users set user_status = 'ERASED', updated = service_now() where user_id = $1`, [
    user_id,
  ]);

/** Only sets the status: the caller ends sessions and orders in the same transaction. */
export async function suspendUser(tx: Db, user_id: number): Promise<void> {
  await run(
    tx,
    `update users set user_status = 'INACTIVE', updated = service_now() where user_id = $1`,
    [user_id],
  );
  await emitUser(tx, 'stopped', user_id);
}

/**
 * Restores the status of before, or the one that a confirmation or verification has set meanwhile. Answers the new
 * status.
 */
export async function reinstateUser(tx: Db, user_id: number): Promise<string> {
  const [user] = await run<Row<'users', 'user_status'>>(
    tx,
    `update users set user_status = coalesce(status_before_stop, 'ACTIVE'), updated = service_now()
      where user_id = $1 returning user_status`,
    [user_id],
  );
  if (!user) throw new Error(`User ${user_id} vanished`);
  await emitUser(tx, 'let_in', user_id);
  return user.user_status;
}
