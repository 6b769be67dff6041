import { type Db, run } from '#kernel/db/db.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';
import type { Row } from '#kernel/db/row.ts';
import type { AppScope } from './scopes.ts';

export type ConnectedApp = Row<'oauth_apps'>;
export type AppGrant = Omit<Row<'oauth_grants'>, 'scopes'> & { readonly scopes: AppScope[] };

export async function insertApp(
  tx: Db,
  { app_id, name, redirect_uris, kept_until }: Omit<ConnectedApp, 'created_at'>,
): Promise<ConnectedApp> {
  const [row] = await run<ConnectedApp>(
    tx,
    'insert into oauth_apps (app_id, name, redirect_uris, kept_until) values ($1, $2, $3::text[], $4) returning *',
    [app_id, name, redirect_uris, kept_until],
  );
  if (!row) throw new Error('No app was written');
  return row;
}

export async function findApp(db: Db, app_id: string): Promise<ConnectedApp | undefined> {
  return (await run<ConnectedApp>(db, 'select * from oauth_apps where app_id = $1', [app_id]))[0];
}

export type NewGrant = Pick<
  AppGrant,
  | ('grant_id' | 'app_id' | 'client_id' | 'user_id' | 'scopes' | 'code_digest')
  | ('code_challenge' | 'redirect_uri')
> & { readonly created_at: Date; readonly expires_at: Date };

export async function insertGrant(tx: Db, grant: NewGrant): Promise<void> {
  await run(
    tx,
    `insert into oauth_grants (grant_id, app_id, client_id, user_id, scopes, code_digest, code_challenge, redirect_uri,
       created_at, expires_at)
     values ($1, $2, $3, $4, $5::text[], $6, $7, $8, $9, $10)`,
    [
      ...[grant.grant_id, grant.app_id, grant.client_id, grant.user_id, grant.scopes],
      ...[grant.code_digest, grant.code_challenge, grant.redirect_uri],
      ...[grant.created_at, grant.expires_at].map((at) => at.toISOString()),
    ],
  );
}

/** The grant of a code, locked until the transaction ends. */
export async function lockGrantOfCode(tx: Db, digest: Buffer): Promise<AppGrant | undefined> {
  const text = 'select * from oauth_grants where code_digest = $1 for update';
  return (await run<AppGrant>(tx, text, [digest]))[0];
}

export async function markCodeUsed(tx: Db, grant_id: string, at: Date): Promise<void> {
  const text = 'update oauth_grants set code_used_at = $2 where grant_id = $1';
  await run(tx, text, [grant_id, at.toISOString()]);
}

/** What stands behind it from now on, and until when; the app is known for longer. */
export async function setWayIn(
  tx: Db,
  { grant_id, app_id }: Pick<AppGrant, 'grant_id' | 'app_id'>,
  { key_id, session_id, until }: { key_id: number; session_id: string; until: Date },
): Promise<void> {
  const at = until.toISOString();
  await run(
    tx,
    'update oauth_grants set key_id = $2, session_id = $3, expires_at = $4 where grant_id = $1',
    [grant_id, key_id, session_id, at],
  );
  await run(
    tx,
    `update oauth_apps set kept_until = greatest(kept_until, $2::timestamptz + interval '60 days') where app_id = $1`,
    [app_id, at],
  );
}

export interface NewAppToken {
  readonly digest: Buffer;
  readonly kind: 'access' | 'refresh';
  readonly expires_at: Date;
}

export async function insertAppTokens(
  tx: Db,
  grant_id: string,
  tokens: readonly NewAppToken[],
): Promise<void> {
  for (const { digest, kind, expires_at } of tokens)
    await run(
      tx,
      'insert into oauth_tokens (digest, grant_id, kind, expires_at) values ($1, $2, $3, $4)',
      [digest, grant_id, kind, expires_at.toISOString()],
    );
}

/** A token with its grant, both locked; `log_in_open` where nothing has ended the log-in behind it. */
export type LockedToken = AppGrant &
  Pick<Row<'oauth_tokens'>, 'kind' | 'used_at'> & {
    readonly token_expires_at: string;
    readonly log_in_open: boolean;
  };

export async function lockToken(tx: Db, digest: Buffer): Promise<LockedToken | undefined> {
  const text = `select g.*, t.kind, t.expires_at as token_expires_at, t.used_at,
      exists (select from sessions s where s.session_id = g.session_id and s.revoked_at is null) and g.key_id is not null
        as log_in_open
    from oauth_tokens t join oauth_grants g using (grant_id) where t.digest = $1 for update of g, t`;
  return (await run<LockedToken>(tx, text, [digest]))[0];
}

export async function markTokenUsed(tx: Db, digest: Buffer, at: Date): Promise<void> {
  const text = 'update oauth_tokens set used_at = coalesce(used_at, $2) where digest = $1';
  await run(tx, text, [digest, at.toISOString()]);
}

/** Ends it once; answers what stood behind it. */
export async function closeGrant(
  tx: Db,
  grant_id: string,
  at: Date,
): Promise<Pick<AppGrant, 'key_id' | 'session_id'> | undefined> {
  const [row] = await run<Pick<AppGrant, 'key_id' | 'session_id'>>(
    tx,
    `update oauth_grants set ended_at = $2 where grant_id = $1 and ended_at is null returning key_id, session_id`,
    [grant_id, at.toISOString()],
  );
  return row;
}

export type ListedGrant = Pick<
  AppGrant,
  'grant_id' | 'app_id' | 'scopes' | 'created_at' | 'expires_at' | 'redirect_uri'
> & { readonly name: string; readonly last_used: string | null };

/** What a user's apps hold now, newest first: all live as long. */
export const listGrants = (db: Db, user_id: number, limit: number): Promise<ListedGrant[]> =>
  run<ListedGrant>(
    db,
    `select g.grant_id, g.app_id, g.scopes, g.created_at, g.expires_at, g.redirect_uri, a.name, k.last_used
       from oauth_grants g join oauth_apps a using (app_id) join api_keys k using (key_id)
       join sessions s on s.session_id = g.session_id
      where g.user_id = $1 and g.ended_at is null and g.expires_at > service_now() and s.revoked_at is null
      order by g.expires_at desc, g.grant_id desc limit $2`,
    [user_id, limit],
  );

/** A user's grant that has not ended. */
export async function findOpenGrant(
  tx: Db,
  user_id: number,
  grant_id: string,
): Promise<Pick<AppGrant, 'grant_id' | 'app_id'> | undefined> {
  const text = `select grant_id, app_id from oauth_grants
    where grant_id = $1 and user_id = $2 and ended_at is null and expires_at > service_now() for update`;
  return (await run<Pick<AppGrant, 'grant_id' | 'app_id'>>(tx, text, [grant_id, user_id]))[0];
}

/** Tokens, grants and then apps that ended before that. */
export async function forgetApps(db: Db, before: Date): Promise<void> {
  const values = [before.toISOString()];
  await deleteInBatches(db, 'oauth_tokens', 'expires_at < $1', values);
  await deleteInBatches(db, 'oauth_grants', 'expires_at < $1', values);
  await deleteInBatches(db, 'oauth_apps', 'kept_until < $1', values);
}
