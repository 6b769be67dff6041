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

/** People by their numbers, and of which client they are; of one client or of all. */
export const peopleByNumber = (db: Db, ids: readonly number[], client_id: number | undefined) =>
  db
    .selectFrom('users as u')
    .innerJoin('clients as c', 'c.client_id', 'u.client_id')
    .select(['u.user_id', 'u.username', 'u.client_id', 'c.client_alias as organisation'])
    .where('u.user_id', '=', ({ fn, val }) => fn.any(val([...ids])))
    .$if(client_id !== undefined, (query) => query.where('u.client_id', '=', client_id ?? 0))
    .orderBy('u.user_id')
    .execute();
