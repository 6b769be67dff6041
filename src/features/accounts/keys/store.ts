import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { LIST_MAX } from '#kernel/http/declare/page.ts';
import type { TeamRole } from '#kernel/http/declare/team-mark.ts';
import { versionsOf } from '#kernel/http/serve/versions.ts';
import { digestOf, masked, newToken } from '#kernel/secrets/token.ts';
import { emitKey } from './events.ts';
import type { KeyLimits } from './terms.ts';

const NEWEST = versionsOf().newest;
const PREFIX = 'ak_';
/** The part of a key that a listing shows. */
const SHOWN_START = 10;
const SHOWN_END = 4;

export interface NewApiKey {
  readonly provider_name: string;
  readonly client_id: number | null;
  readonly user_id: number | null;
  readonly scopes: readonly string[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly limits?: KeyLimits;
  /** The version of the API; the newest unless it replaces an older key. */
  readonly api_version?: string;
  /** The key that it replaces. */
  readonly replaces?: number;
}

/**
 * The only time the whole key is visible; the table keeps its hash. Nothing when the replaced key has a successor
 * already.
 */
export async function insertKey(db: Db, key: NewApiKey) {
  const api_key = `${PREFIX}${newToken().token}`;
  const row = await db
    .insertInto('api_keys')
    .values({
      key_hash: digestOf(api_key),
      key_prefix: api_key.slice(0, SHOWN_START),
      key_suffix: api_key.slice(-SHOWN_END),
      provider_name: key.provider_name,
      client_id: key.client_id,
      user_id: key.user_id,
      scopes: [...key.scopes],
      created_at: key.created_at.toISOString(),
      expires_at: key.expires_at?.toISOString() ?? null,
      api_version: key.api_version ?? NEWEST,
      replaces: key.replaces ?? null,
      ...key.limits,
    })
    .onConflict((conflict) =>
      conflict.column('replaces').where('replaces', 'is not', null).doNothing(),
    )
    .returning([...SHOWN_COLUMNS, 'allowed_ips', 'rate_per_minute'])
    .executeTakeFirst();
  if (row) emitKey(db, 'created', shown(row));
  return row && { ...row, api_key };
}

/** A user's keys, newest first. */
export const listKeys = (
  db: Db,
  user_id: number,
  page: { readonly limit: number; readonly before: number | undefined },
) =>
  db
    .selectFrom('api_keys')
    .where('user_id', '=', user_id)
    .$if(page.before !== undefined, (q) => q.where('key_id', '<', page.before ?? 0))
    .orderBy('key_id', 'desc')
    .select(['key_id', 'key_prefix', 'key_suffix', 'provider_name', 'scopes'])
    .select(['expires_at', 'created_at', 'last_used', 'usage_count', 'api_version'])
    .select(['allowed_ips', 'rate_per_minute', 'last_ip'])
    .limit(page.limit)
    .execute();

/** Nothing when the user has no such key. */
export async function deleteKey(tx: Db, user_id: number, api_key: string) {
  const row = await tx
    .deleteFrom('api_keys')
    .where('key_hash', '=', digestOf(api_key))
    .where('user_id', '=', user_id)
    .returning(SHOWN_COLUMNS)
    .executeTakeFirst();
  if (row) emitKey(tx, 'deleted', shown(row));
  return row;
}

/** The key of that id. */
export async function deleteKeyById(tx: Db, key_id: number) {
  const row = await tx
    .deleteFrom('api_keys')
    .where('key_id', '=', key_id)
    .returning([...SHOWN_COLUMNS, 'key_hash'])
    .executeTakeFirst();
  if (row) emitKey(tx, 'deleted', shown(row));
  return row;
}

/** A user's key, locked until the transaction ends. Nothing when the user has no such key. */
export const lockKey = (tx: Db, user_id: number, api_key: string) =>
  tx
    .selectFrom('api_keys')
    .where('key_hash', '=', digestOf(api_key))
    .where('user_id', '=', user_id)
    .select(['key_id', 'scopes', 'allowed_ips', 'rate_per_minute'])
    .forUpdate()
    .executeTakeFirst();

/** Changes from where a key may be used and how often; answers it as a listing shows it. */
export async function limitKey(tx: Db, key_id: number, limits: KeyLimits) {
  const row = await tx
    .updateTable('api_keys')
    .set(limits)
    .where('key_id', '=', key_id)
    .returning([...SHOWN_COLUMNS, 'last_used', 'usage_count', 'api_version'])
    .returning(['allowed_ips', 'rate_per_minute', 'last_ip'])
    .executeTakeFirstOrThrow();
  emitKey(tx, 'changed', shown(row));
  return row;
}

/** A user's keys created after that time, or all, newest first. */
export const listKeysAfter = (db: Db, user_id: number, since: string | null) =>
  db
    .selectFrom('api_keys')
    .where('user_id', '=', user_id)
    .$if(since !== null, (q) => q.where('created_at', '>', since ?? ''))
    .orderBy('key_id', 'desc')
    .select(['key_prefix', 'key_suffix', 'created_at'])
    .limit(LIST_MAX)
    .execute();

export async function deleteKeysAfter(tx: Db, user_id: number, since: string | null) {
  const rows = await tx
    .deleteFrom('api_keys')
    .where('user_id', '=', user_id)
    .$if(since !== null, (q) => q.where('created_at', '>', since ?? ''))
    .returning([...SHOWN_COLUMNS, 'key_hash'])
    .execute();
  for (const row of rows) emitKey(tx, 'deleted', shown(row));
  return rows;
}

export type EndingKey = Row<
  'api_keys',
  | Exclude<(typeof SHOWN_COLUMNS)[number], 'expires_at'>
  | 'api_version'
  | 'allowed_ips'
  | 'rate_per_minute'
> & {
  /** The time when it stops working. */
  readonly expires_at: string;
  /** Its lifetime in seconds as created; null for an unlimited one. */
  readonly life: number | null;
};

export interface KeyEnd {
  readonly user_id: number;
  readonly api_key: string;
  readonly now: Date;
  readonly end: Date;
}

/** Makes a user's valid key end at `end` at the latest. Nothing when there is none. */
export async function endKey(db: Db, { user_id, api_key, now, end }: KeyEnd) {
  const [row] = await run<EndingKey>(db, END, [digestOf(api_key), user_id, now, end]);
  if (row) emitKey(db, 'rotated', shown(row));
  return row;
}

const END = `
  update api_keys k set expires_at = least(k.expires_at, $4)
    from (select key_id, expires_at from api_keys where key_hash = $1 for update) as before
   where k.key_id = before.key_id and k.user_id = $2
     and (before.expires_at is null or before.expires_at > $3)
  returning k.key_id, k.key_prefix, k.key_suffix, k.provider_name, k.client_id, k.scopes,
    k.user_id, k.created_at, k.expires_at, k.api_version, k.allowed_ips, k.rate_per_minute,
    extract(epoch from before.expires_at - k.created_at)::float8 as life`;

/**
 * Emits an event for each key that ends in that time, once; answers how many. Keys created for a shorter time and
 * keys with a successor are left out.
 */
export async function tellExpiring(
  tx: Db,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<number> {
  const rows = await run<Row<'api_keys', (typeof SHOWN_COLUMNS)[number]>>(tx, EXPIRING, [
    ...[now.toISOString(), until.toISOString(), limit],
  ]);
  for (const row of rows) emitKey(tx, 'expiring', shown(row));
  return rows.length;
}

const EXPIRING = `
  update api_keys set expiring_told_at = $1
   where key_id in (
     select k.key_id from api_keys k
      where k.expires_at > $1 and k.expires_at <= $2 and k.expiring_told_at is null
        and k.expires_at - k.created_at > $2::timestamptz - $1::timestamptz
        and not exists (select from api_keys s where s.replaces = k.key_id)
      order by k.expires_at limit $3 for update skip locked)
  returning key_id, key_prefix, key_suffix, provider_name, client_id, user_id, scopes, created_at,
    expires_at`;

/** The data of the event. */
const SHOWN_COLUMNS = [
  'key_id',
  'key_prefix',
  'key_suffix',
  'provider_name',
  'client_id',
  'user_id',
  'scopes',
  'created_at',
  'expires_at',
] as const;

const shown = (row: Row<'api_keys', (typeof SHOWN_COLUMNS)[number]>) => ({
  key_id: row.key_id,
  api_key: masked(row.key_prefix, row.key_suffix),
  provider_name: row.provider_name,
  client_id: row.client_id,
  user_id: row.user_id,
  scopes: row.scopes,
  created_at: row.created_at,
  expires_at: row.expires_at,
});

/** Another admin's from now on, and good for no more than what their maker was let do. */
export async function takeOverKeys(
  tx: Db,
  user_id: number,
  heir: { readonly user_id: number; readonly team_role: TeamRole },
) {
  const rows = await tx
    .updateTable('api_keys')
    .set(({ fn, ref, val }) => ({
      user_id: heir.user_id,
      kept_role: fn.coalesce(ref('kept_role'), val(heir.team_role)),
    }))
    .where('user_id', '=', user_id)
    .returning([...SHOWN_COLUMNS, 'key_hash'])
    .execute();
  for (const row of rows) emitKey(tx, 'changed', shown(row));
  return rows;
}

/** A user's valid keys, newest first: the keys that they leave when suspended. */
export const listWorkingKeys = (db: Db, user_id: number, now: string) =>
  db
    .selectFrom('api_keys')
    .where('user_id', '=', user_id)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('key_id', 'desc')
    .select(['key_id', 'key_prefix', 'key_suffix', 'provider_name', 'scopes'])
    .limit(LIST_MAX)
    .execute();
