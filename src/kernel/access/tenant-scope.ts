import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { Db } from '../db/db.ts';
import type { DB } from '../db/schema.generated.ts';
import { fail } from '../error.ts';
import type { ApiKey } from '../http/declare/api-key.ts';
import type { UserCaller } from '../http/declare/route.ts';
import { clientOfKey } from './authenticator.ts';

/** Part of a WHERE clause: the columns that must equal these for a row to exist for the caller. */
export interface TenantScope {
  readonly client_id?: number;
  readonly user_id?: number;
}

/** `{}` for the operator's admins, the client for an admin, oneself for a user. */
export function tenantScopeOf(caller: UserCaller): TenantScope {
  if (caller.operator) return {};
  return caller.role === 'admin' ? { client_id: caller.client_id } : { user_id: caller.user_id };
}

/** For `where`: that these columns of a row name a user or client in the caller's scope. */
export function inTenantScope(
  { user_id, client_id }: TenantScope,
  user: Expression<number>,
  client: Expression<number | null>,
): Expression<SqlBool> {
  const eb = expressionBuilder<DB, never>();
  return eb.and([
    ...(user_id === undefined ? [] : [eb(user, '=', user_id)]),
    ...(client_id === undefined ? [] : [eb(client, '=', client_id)]),
  ]);
}

const inScope = (db: Db, scope: TenantScope, user_id: number) =>
  db
    .selectFrom('users')
    .select(['user_id', 'client_id', 'username', 'email', 'phone'])
    .where('user_id', '=', user_id)
    .where(({ ref }) => inTenantScope(scope, ref('user_id'), ref('client_id')));

/** Nothing when there is no such user in scope: outside it, a user does not exist. */
export const userInScope = (db: Db, scope: TenantScope, user_id: number) =>
  inScope(db, scope, user_id).executeTakeFirst();

/** Throws USER_NOT_FOUND when there is no such user in scope. */
export async function requireUser(db: Db, scope: TenantScope, user_id: number) {
  const user = await userInScope(db, scope, user_id);
  if (!user) throw fail('USER_NOT_FOUND', 'User not found');
  return user;
}

/**
 * Throws USER_NOT_FOUND for whom the holder of a key, where no log-in goes along, has no right to know:
 * a key of an application, which anyone may have, knows those who are logged in with it.
 */
export async function requireKnownUser(db: Db, key: ApiKey, user_id: number, now: Date) {
  const known = inScope(db, tenantScopeOfKey(key), user_id);
  const user = await known
    .$if(key.user_id === null, (q) =>
      q.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('sessions as s')
            .select('s.session_id')
            .where('s.user_id', '=', user_id)
            .where('s.key_id', '=', key.key_id)
            .where('s.revoked_at', 'is', null)
            .where('s.expires_at', '>', now.toISOString()),
        ),
      ),
    )
    .executeTakeFirst();
  if (!user) throw fail('USER_NOT_FOUND', 'User not found');
  return user;
}

/** Like `userWithin` with the row locked: decisions about one user wait for one another. */
export const lockUserInScope = (tx: Db, scope: TenantScope, user_id: number) =>
  inScope(tx, scope, user_id).forNoKeyUpdate().executeTakeFirst();

/** The one client that an admin sees; undefined for the operator's admins, who see all. */
export const clientScopeOf = (caller: UserCaller): number | undefined =>
  caller.operator ? undefined : caller.client_id;

/**
 * The scope of a key without a log-in: for a key that a user made, that user's client, except the
 * operator's; for the key of an application every client, since it signs up clients, too.
 */
export function tenantScopeOfKey(key: ApiKey): TenantScope {
  const client_id = clientOfKey(key);
  return client_id === undefined ? {} : { client_id };
}

/** The client of a user, for the user's events. */
export async function clientOfUser(db: Db, user_id: number): Promise<number> {
  const user = db.selectFrom('users').select('client_id').where('user_id', '=', user_id);
  return (await user.executeTakeFirstOrThrow()).client_id;
}

/** For `permit`: throws FORBIDDEN for the admins of clients. */
export function operatorOnly({ operator }: UserCaller): void {
  if (!operator) throw fail('FORBIDDEN', 'Only the operator may do this');
}
