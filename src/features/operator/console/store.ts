import type { Db } from '#kernel/db/db.ts';

/** Who it is that has logged in. */
export const findOperator = (db: Db, user_id: number) =>
  db
    .selectFrom('users')
    .select(['user_id', 'client_id', 'username', 'email', 'role', 'twofa_enabled'])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
