import { type Db, run } from '#kernel/db/db.ts';
import { deferWrite } from '#kernel/db/deferred-writes.ts';
import type { Row } from '#kernel/db/row.ts';
import { transact } from '#kernel/transact.ts';

/** A temporary password, and when it stops working unless it is used before. */
export const insertTemporary = (tx: Db, user_id: number, lapses_at: Date): Promise<void> =>
  deferWrite(tx, 'insert into temporary_passwords (user_id, lapses_at) values ($1, $2)', [
    user_id,
    lapses_at,
  ]);

/** After a log-in with it: it no longer lapses, and the user still has to change it. */
export async function useTemporary(tx: Db, user_id: number, now: Date): Promise<void> {
  const sql = 'update temporary_passwords set used_at = $2 where user_id = $1 and used_at is null';
  await deferWrite(tx, sql, [user_id, now]);
}

/** The user has a password of their own now. */
async function forgetTemporary(tx: Db, user_id: number): Promise<void> {
  await run(tx, 'delete from temporary_passwords where user_id = $1', [user_id]);
}

/**
 * A password that its user has changed, who knew the one before. It is no reset: what was added since the last reset can
 * still be undone by the next one.
 */
export async function changePasswordHash(
  tx: Db,
  user_id: number,
  password_hash: string,
): Promise<void> {
  const text = 'update users set password_hash = $2, updated = service_now() where user_id = $1';
  await run(tx, text, [user_id, password_hash]);
  await forgetTemporary(tx, user_id);
}

/** A password of the user's own, in place of any temporary one. */
export async function resetPasswordHash(tx: Db, user_id: number, password_hash: string, now: Date) {
  const user = await tx
    .updateTable('users')
    .set({ password_hash, password_reset_at: now.toISOString(), updated: now.toISOString() })
    .where('user_id', '=', user_id)
    .returning('client_id')
    .executeTakeFirstOrThrow();
  await forgetTemporary(tx, user_id);
  return user;
}

/** Deletes lapsed ones, up to the limit; answers how many. Users first, as log-ins lock them. */
export const lapsePasswords = (db: Db, now: Date, limit: number): Promise<number> =>
  transact(db, async (tx) => {
    const users = await run<Row<'users', 'user_id'>>(tx, LAPSING, [now, limit]);
    const user_ids = users.map(({ user_id }) => user_id);
    await run(tx, LAPSE, [user_ids, now]);
    return users.length;
  });

const LAPSING = `
  select user_id from users where user_id in (
    select user_id from temporary_passwords where used_at is null and lapses_at <= $1
     order by lapses_at limit $2)
   order by user_id for no key update`;

const LAPSE = `
  with lapsed as (
    delete from temporary_passwords
     where user_id = any($1::integer[]) and used_at is null and lapses_at <= $2 returning user_id)
  update users set password_hash = null, updated = $2
   where user_id in (select user_id from lapsed)`;
