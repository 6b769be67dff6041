import type { Db } from '#kernel/db/db.ts';

export interface AdminPage {
  /** Only admins of this client. */
  readonly client_id: number | undefined;
  readonly limit: number;
  readonly before: number | undefined;
}

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
    .where('u.role', '=', 'admin')
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

export interface AuditPage {
  readonly client_id: number | undefined;
  readonly action: string | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

/** What admins did, newest first; the next page is `before` the last one's id. */
export const listAudit = (db: Db, { client_id, action, before, limit }: AuditPage) =>
  db
    .selectFrom('activity_log as a')
    .innerJoin('users as u', 'u.user_id', 'a.actor_user_id')
    .select([
      'a.id',
      'a.action',
      'a.client_id',
      'a.actor_user_id',
      'u.username as actor_username',
      'a.subject_user_id',
      'a.details',
      'a.ip',
      'a.user_agent',
      'a.request_id',
      'a.at',
    ])
    .where('u.role', '=', 'admin')
    .$if(client_id !== undefined, (q) => q.where('a.client_id', '=', client_id ?? 0))
    .$if(action !== undefined, (q) => q.where('a.action', '=', action ?? ''))
    .$if(before !== undefined, (q) => q.where('a.id', '<', before ?? 0))
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute();
