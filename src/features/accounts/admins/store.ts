import { sql } from 'kysely';
import { verifiedOfPage } from '#features/accounts/verification/verification.ts';
import type { Db } from '#kernel/db/db.ts';

export interface AdminPage {
  /** Only admins of this client. */
  readonly client_id: number | undefined;
  readonly limit: number;
  readonly before: number | undefined;
}

/** A literal, so that every plan can use the indexes of admins. */
const ADMIN = sql.lit('admin');

/** By user_id descending. Reads the verifications of a page at once, as a list of users does. */
export const listAdmins = (db: Db, { client_id, limit, before }: AdminPage) =>
  db
    .with(
      (part) => part('page').materialized(),
      (q) =>
        q
          .selectFrom('users')
          .select(['user_id', 'username', 'email', 'user_status'])
          .where('role', '=', ADMIN)
          // A range of one client, in the order of clients: for an equality the planner assumes the order of users
          // alone, and walks the index of all admins, past those of every later user.
          .$if(client_id !== undefined, (some) =>
            some
              .where('client_id', '>=', client_id ?? 0)
              .where('client_id', '<=', client_id ?? 0)
              .orderBy('client_id'),
          )
          .$if(before !== undefined, (some) => some.where('user_id', '<', before ?? 0))
          .orderBy('user_id', 'desc')
          .limit(limit),
    )
    .with((part) => part('kyc').materialized(), verifiedOfPage)
    .selectFrom('page as u')
    .leftJoin('kyc as v', 'v.user_id', 'u.user_id')
    .select(({ fn, val }) => [
      'u.user_id',
      'u.username',
      'u.email',
      'u.user_status',
      fn.coalesce('v.status', val('PENDING')).as('kyc_status'),
    ])
    .orderBy('u.user_id', 'desc')
    .execute();

/** Nothing when no such client is within reach. */
export const findReachableClient = (db: Db, reach: number | undefined, client_id: number) =>
  db
    .selectFrom('clients')
    .select([
      'client_id',
      'client_alias',
      'client_type',
      'client_status',
      'country_code',
      'client_code',
    ])
    .where('client_id', '=', client_id)
    .$if(reach !== undefined, (q) => q.where('client_id', '=', reach ?? 0))
    .executeTakeFirst();
