import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

/** A person, as far as a card is issued to them. */
export interface CardOwner
  extends Row<'users', 'email' | 'username'>,
    // As their documents have it.
    Row<'verifications', 'verified_name'> {
  readonly is_verified: boolean;
  readonly has_factor: boolean;
  readonly has_passkey: boolean;
  readonly has_password: boolean;
}

export async function cardOwnerOf(db: Db, user_id: number): Promise<CardOwner> {
  const [row] = await run<CardOwner>(
    db,
    `select u.email, u.username, u.twofa_enabled as has_factor,
       exists (select from passkeys p where p.user_id = u.user_id) as has_passkey, u.password_hash is not null as has_password,
       v.user_id is not null as is_verified, v.verified_name
     from users u left join verifications v
       on v.user_id = u.user_id and v.kind = 'KYC' and v.status = 'APPROVED'
     where u.user_id = $1`,
    [user_id],
  );
  if (!row) throw new Error(`There is no user ${user_id}`);
  return row;
}
