import { sql } from 'kysely';
import type { Db } from '#kernel/db/db.ts';

export interface AdminPage {
  /** Only admins of this client. */
  readonly client_id: number | undefined;
  readonly limit: number;
  readonly before: number | undefined;
}

/** The word itself, so that every plan can use the indexes of admins. */
const ADMIN = sql.lit('admin');

/** By user_id descending. */
export const listAdmins = (db: Db, { client_id, limit, before }: AdminPage) =>
  db
    .selectFrom('users as u')
    .leftJoin('verifications as v', (on) =>
      on.onRef('v.user_id', '=', 'u.user_id').on('v.kind', '=', 'KYC'),
    )
    .select(({ fn, val }) => [
      'u.user_id',
      'u.username',
      'u.email',
      'u.user_status',
      fn.coalesce('v.status', val('PENDING')).as('kyc_status'),
    ])
    .where('u.role', '=', ADMIN)
    // A range that is one client, in the order of clients: of an equal one the planner knows that the order is
    // that of users alone, and walks the index of all admins, past those of everybody who came later.
    .$if(client_id !== undefined, (q) =>
      q
        .where('u.client_id', '>=', client_id ?? 0)
        .where('u.client_id', '<=', client_id ?? 0)
        .orderBy('u.client_id'),
    )
    .$if(before !== undefined, (q) => q.where('u.user_id', '<', before ?? 0))
    .orderBy('u.user_id', 'desc')
    .limit(limit)
    .execute();

/** Nothing when there is no such client within reach. */
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
