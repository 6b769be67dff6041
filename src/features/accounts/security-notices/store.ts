import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type SecurityNoticeChangeKind =
  | 'external-login-added'
  | 'registered-externally'
  | 'external-login-removed'
  | 'two-factor-enabled'
  | 'two-factor-disabled'
  | 'backup-codes-shown'
  | 'email-changed'
  | 'phone-changed'
  | 'password-changed'
  | 'wallet-proven'
  | 'wallet-proof-ended'
  | 'device-added'
  | 'refresh-token-reused'
  | 'passkey-added'
  | 'passkey-removed'
  | 'passkey-copied';

/** Events that no table shows. */
export type RecordedNotice = Extract<
  SecurityNoticeChangeKind,
  'backup-codes-shown' | 'refresh-token-reused' | 'passkey-copied'
>;

export type AccessChange = Row<'access_changes', 'told_to' | 'detail'> & {
  readonly what: SecurityNoticeChangeKind;
};

/** Changes of a user that a mail has to report now, in order; of concurrent callers one gets each. */
export const takeChanges = (tx: Db, user_id: number): Promise<AccessChange[]> =>
  run<AccessChange>(
    tx,
    `with taken as (delete from access_changes where user_id = $1 returning *)
     select told_to, what, detail from taken order by id`,
    [user_id],
  );

/** Users with changes that no mail has reported yet. */
export const listUnsent = (db: Db, limit: number): Promise<Row<'access_changes', 'user_id'>[]> =>
  run<Row<'access_changes', 'user_id'>>(
    db,
    'select distinct user_id from access_changes limit $1',
    [limit],
  );

export async function insertChange(
  tx: Db,
  user_id: number,
  what: SecurityNoticeChangeKind,
): Promise<void> {
  await run(
    tx,
    `insert into access_changes (user_id, told_to, what)
     select user_id, email, $2 from users where user_id = $1`,
    [user_id, what],
  );
}

/** Active admins of the operator except one, the oldest accounts first. */
export const listOperators = (
  db: Db,
  except: number,
  limit: number,
): Promise<Row<'users', 'user_id' | 'email'>[]> =>
  run<Row<'users', 'user_id' | 'email'>>(
    db,
    `select user_id, email from users
      where client_id = ${OPERATOR_CLIENT_ID} and role = 'admin' and user_status = 'ACTIVE' and user_id <> $1
      order by user_id limit $2`,
    [except, limit],
  );
