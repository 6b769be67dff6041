import type { Db } from '#kernel/db/db.ts';

/** The user of the session. */
export const findOperator = (db: Db, user_id: number) =>
  db
    .selectFrom('users')
    .select(['user_id', 'client_id', 'username', 'email', 'role', 'twofa_enabled'])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
