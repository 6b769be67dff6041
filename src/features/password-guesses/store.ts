import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type Owner = Row<'users', 'user_id' | 'email'>;

/** One user of each mailbox; nobody guesses the password of somebody who has none. */
export const ownersOf = (tx: Db, user_ids: readonly number[]): Promise<Owner[]> =>
  run<Owner>(
    tx,
    `select distinct on (lower(email)) user_id, email from users
      where user_id = any($1::integer[]) and password_hash is not null
      order by lower(email), user_id`,
    [user_ids],
  );
