import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type ClosingStatus = 'CLOSING' | 'CANCELLED' | 'ERASING' | 'ERASED';
export type AccountClosing = Row<'account_closings'> & { readonly status: ClosingStatus };

/** The closing of an account; undefined where none was ever asked for. */
export async function findClosing(db: Db, user_id: number): Promise<AccountClosing | undefined> {
  const text = 'select * from account_closings where user_id = $1';
  return (await run<AccountClosing>(db, text, [user_id]))[0];
}

/** The same with its row locked. */
export async function lockClosing(tx: Db, user_id: number): Promise<AccountClosing | undefined> {
  const text = 'select * from account_closings where user_id = $1 for update';
  return (await run<AccountClosing>(tx, text, [user_id]))[0];
}

/** Undefined where one is under way; the user's row is locked. */
export async function beginClosing(
  tx: Db,
  user_id: number,
  erases_at: string,
): Promise<AccountClosing | undefined> {
  const text = `insert into account_closings as c (user_id, status, erases_at, looks_at) values ($1, 'CLOSING', $2, $2)
    on conflict (user_id) do update set status = 'CLOSING', asked_at = service_now(), erases_at = $2, looks_at = $2,
      cancelled_at = null, items = '[]'
    where c.status = 'CANCELLED' returning *`;
  return (await run<AccountClosing>(tx, text, [user_id, erases_at]))[0];
}

/** Undefined where there is none that can be cancelled. */
export async function cancelClosing(tx: Db, user_id: number): Promise<AccountClosing | undefined> {
  const text = `update account_closings set status = 'CANCELLED', cancelled_at = service_now()
    where user_id = $1 and status = 'CLOSING' returning *`;
  return (await run<AccountClosing>(tx, text, [user_id]))[0];
}

/** What is in the way now that the time has come; it is looked at again an hour later. */
export const hinderClosing = (
  tx: Db,
  user_id: number,
  items: readonly unknown[],
): Promise<unknown> =>
  run(
    tx,
    `update account_closings set items = $2::jsonb, looks_at = service_now() + interval '1 hour' where user_id = $1`,
    [user_id, JSON.stringify(items)],
  );

/** From now on the erasure cannot be taken back. */
export const beginErasing = (tx: Db, user_id: number): Promise<unknown> =>
  run(
    tx,
    `update account_closings set status = 'ERASING', items = '[]' where user_id = $1 and status = 'CLOSING'`,
    [user_id],
  );

/** False where another run has ended it. */
export async function endErasing(tx: Db, user_id: number): Promise<boolean> {
  const text = `update account_closings set status = 'ERASED', erased_at = service_now()
    where user_id = $1 and status = 'ERASING' returning 1`;
  return (await run(tx, text, [user_id])).length > 0;
}

/**
 * Whether an owner's client has no other owner who stays. Closings of one client's owners wait for each other at the
 * client's row.
 */
export async function isLastAdmin(tx: Db, user_id: number): Promise<boolean> {
  const [own] = await run<Row<'users', 'client_id' | 'role' | 'team_role'>>(
    tx,
    'select client_id, role, team_role from users where user_id = $1',
    [user_id],
  );
  if (own?.role !== 'admin' || (own.team_role ?? 'owner') !== 'owner') return false;
  await run(tx, 'select from clients where client_id = $1 for no key update', [own.client_id]);
  const others = await run(
    tx,
    `select from users u where u.client_id = $1 and u.role = 'admin' and coalesce(u.team_role, 'owner') = 'owner'
      and u.user_status = 'ACTIVE' and u.user_id <> $2
      and not exists (select from account_closings c
        where c.user_id = u.user_id and c.status in ('CLOSING', 'ERASING', 'ERASED')) limit 1`,
    [own.client_id, user_id],
  );
  return others.length === 0;
}

/** Closings whose time has come, and those that a process has left. */
export const dueClosings = (db: Db, limit: number): Promise<Pick<AccountClosing, 'user_id'>[]> =>
  run(
    db,
    `select user_id from account_closings where status in ('CLOSING', 'ERASING') and looks_at <= service_now()
      order by looks_at limit $1`,
    [limit],
  );
