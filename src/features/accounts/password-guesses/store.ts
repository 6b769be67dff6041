import { waitOf } from '#kernel/access/attempts.ts';
import { isKnownIn } from '#kernel/access/known-networks.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type Owner = Row<'users', 'user_id' | 'email'>;

/** One user of each mailbox, among those who have a password. */
export const ownersOf = (tx: Db, user_ids: readonly number[]): Promise<Owner[]> =>
  run<Owner>(
    tx,
    `select distinct on (lower(email)) user_id, email from users
      where user_id = any($1::integer[]) and password_hash is not null
      order by lower(email), user_id`,
    [user_ids],
  );

/** A try at a user's password, or at an unknown name, as `triesOf` finds it. */
export type TryRow = Of & {
  readonly account: string;
  readonly known: boolean;
  readonly wait_s: number | null;
};

/** Null for an unknown name. */
type Of = Row<'users', 'user_id'> | Readonly<Record<'user_id', null>>;

/**
 * For SQL by hand: the tries at the passwords of `users`, or at an unknown name, and their waits. Takes the values of
 * `valuesFor` from the parameter of that number on.
 */
export const triesOf = (users: string, first: number): string => `
  select t.*, ${waitOf('t.account', 't.known', `$${first + 3}`)} as wait_s
    from (select u.user_id, 'user:' || u.user_id as account,
                 ${isKnownIn('u.user_id', `$${first}`, `$${first + 1}`)} as known
            from ${users} u
          union all
          select null, $${first + 2}, false where not exists (select from ${users})) t`;

export const readTries = (
  db: Db,
  user_ids: readonly number[],
  values: readonly unknown[],
): Promise<TryRow[]> =>
  run<TryRow>(
    db,
    `with asked as (select unnest($1::integer[]) as user_id) ${triesOf('asked', 2)}`,
    [user_ids, ...values],
  );
