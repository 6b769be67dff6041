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
    .$if(client_id !== undefined, (q) => q.where('u.client_id', '=', client_id ?? 0))
    .$if(before !== undefined, (q) => q.where('u.user_id', '<', before ?? 0))
    .orderBy('u.user_id', 'desc')
    .limit(limit)
    .execute();

/** Nothing when there is no such client within reach. */
export const findReachableClient = (db: Db, reach: number | undefined, client_id: number) =>
  db
    .selectFrom('clients')
    .select(['client_id', 'client_alias', 'country_code'])
    .where('client_id', '=', client_id)
    .$if(reach !== undefined, (q) => q.where('client_id', '=', reach ?? 0))
    .executeTakeFirst();
