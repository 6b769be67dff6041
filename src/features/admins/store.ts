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

const USER = [
  'u.user_id',
  'u.client_id',
  'u.username',
  'u.email',
  'u.phone',
  'u.role',
  'u.user_status',
  'u.created',
  'u.updated',
  'u.is_wishlist',
  'u.tos_accepted_at',
  'u.twofa_enabled',
  'u.social_username',
  'u.social_verified',
  'u.public_key',
  'u.profile_picture',
  'u.psp_id',
  'c.client_alias',
  'c.client_type',
  'c.country_code',
  'c.client_code',
  'v.status as ekyc_status',
  'v.verified_at as ekyc_verified_at',
  'v.provider as ekyc_provider',
  'v.applicant_id as ekyc_applicant_id',
  'b.status as ekyb_status',
  'b.verified_at as ekyb_verified_at',
  'b.applicant_id as ekyb_applicant_id',
] as const;

/** Nothing when there is no such user within reach. */
export const findAdministered = (db: Db, reach: number | undefined, user_id: number) =>
  db
    .selectFrom('users as u')
    .innerJoin('clients as c', 'c.client_id', 'u.client_id')
    .leftJoin('verifications as v', (on) =>
      on.onRef('v.user_id', '=', 'u.user_id').on('v.kind', '=', 'KYC'),
    )
    .leftJoin('verifications as b', (on) =>
      on.onRef('b.user_id', '=', 'u.user_id').on('b.kind', '=', 'KYB'),
    )
    .select(USER)
    .where('u.user_id', '=', user_id)
    .$if(reach !== undefined, (q) => q.where('u.client_id', '=', reach ?? 0))
    .executeTakeFirst();

/** Keeps two decisions about a user from overtaking each other; false when there is no such user. */
export async function lockAdministered(
  tx: Db,
  reach: number | undefined,
  user_id: number,
): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', user_id)
    .$if(reach !== undefined, (q) => q.where('client_id', '=', reach ?? 0))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

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
