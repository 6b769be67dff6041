import type { Db } from '#kernel/db/db.ts';

/** The user of the session. */
export const findAtConsole = (db: Db, user_id: number) =>
  db
    .selectFrom('users as u')
    .innerJoin('clients as c', 'c.client_id', 'u.client_id')
    .select(['u.user_id', 'u.client_id', 'u.username', 'u.email', 'u.role', 'u.twofa_enabled'])
    .select('c.client_alias')
    .where('u.user_id', '=', user_id)
    .executeTakeFirstOrThrow();
