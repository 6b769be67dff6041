import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

/** Somebody who may receive money. */
export type Payee = Row<'users', 'user_id' | 'username'> & { readonly is_active: boolean };

const PERSON = `select user_id, username, user_status = 'ACTIVE' as is_active from users`;

export async function findPerson(
  db: Db,
  client_id: number,
  user_id: number,
): Promise<Payee | undefined> {
  const text = `${PERSON} where client_id = $1 and user_id = $2`;
  return (await run<Payee>(db, text, [client_id, user_id]))[0];
}

/** Only those who have proven the address: else anybody could type in the address of another person and get their money. */
export async function findByEmail(
  db: Db,
  client_id: number,
  email: string,
): Promise<Payee | undefined> {
  const text = `${PERSON} where client_id = $1 and lower(email) = lower($2) and confirmed_at is not null`;
  return (await run<Payee>(db, text, [client_id, email]))[0];
}

/** Whether the address is this user's: a confirmed e-mail address, or the number of the profile. */
export async function hasAddress(
  db: Db,
  user_id: number,
  { channel, address }: { readonly channel: 'email' | 'phone'; readonly address: string },
): Promise<boolean> {
  const own =
    channel === 'email' ? 'lower(email) = lower($2) and confirmed_at is not null' : 'phone = $2';
  const text = `select from users where user_id = $1 and ${own}`;
  return (await run(db, text, [user_id, address])).length > 0;
}

/** Whether all of these may receive money. */
export async function areActive(db: Db, user_ids: readonly number[]): Promise<boolean> {
  const text = `select from users where user_id = any($1::integer[]) and user_status <> 'ACTIVE' limit 1`;
  return (await run(db, text, [user_ids])).length === 0;
}
