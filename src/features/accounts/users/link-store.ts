import { type Db, run } from '#kernel/db/db.ts';
import { deferWrite } from '#kernel/db/deferred-writes.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';

export interface NewLink {
  readonly digest: Buffer;
  readonly user_id: number;
  readonly purpose: 'confirm' | 'tos';
  readonly expires_at: Date;
}

export const insertLink = (
  tx: Db,
  { digest, user_id, purpose, expires_at }: NewLink,
): Promise<void> =>
  deferWrite(
    tx,
    'insert into user_links (digest, user_id, purpose, expires_at) values ($1, $2, $3, $4)',
    [digest, user_id, purpose, expires_at],
  );

export interface LinkClaim {
  readonly digest: Buffer;
  readonly purpose: 'tos';
  readonly user_id?: number;
}

/** Uses a link up. Nothing for an unknown or used one; the caller checks `expires_at`. */
export const takeLink = (tx: Db, { digest, purpose, user_id }: LinkClaim) =>
  tx
    .deleteFrom('user_links')
    .where('digest', '=', digest)
    .where('purpose', '=', purpose)
    .$if(user_id !== undefined, (q) => q.where('user_id', '=', user_id ?? 0))
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst();

/** Uses a confirmation link up; the row keeps that for as long as the link would have counted. */
export const takeConfirmation = (tx: Db, digest: Buffer, now: Date) =>
  tx
    .updateTable('user_links')
    .set({ purpose: 'confirmed' })
    .where('digest', '=', digest)
    .where('purpose', '=', 'confirm')
    .where('expires_at', '>', now.toISOString())
    .returning('user_id')
    .executeTakeFirst();

export const findConfirmation = (db: Db, digest: Buffer) =>
  db
    .selectFrom('user_links')
    .where('digest', '=', digest)
    .where('purpose', 'in', ['confirm', 'confirmed'])
    .select(['purpose', 'expires_at'])
    .executeTakeFirst();

/** How many valid confirmation links a user has; the caller has locked the user's row. */
export async function countOpenLinks(tx: Db, user_id: number, now: Date): Promise<number> {
  const [row] = await run<{ open: number }>(
    tx,
    `select count(*)::int as open from user_links
      where user_id = $1 and purpose = 'confirm' and expires_at > $2`,
    [user_id, now],
  );
  return row?.open ?? 0;
}

/** After a change of address: no link mailed to the old one may prove anything. */
export async function forgetMailedLinks(tx: Db, user_id: number): Promise<void> {
  await tx
    .deleteFrom('user_links')
    .where('user_id', '=', user_id)
    .where('purpose', 'in', ['reset', 'confirm', 'confirmed'])
    .execute();
}

export const forgetLapsedLinks = (db: Db, before: string): Promise<void> =>
  deleteInBatches(db, 'user_links', 'expires_at < $1', [before]);

export interface NewResetLink {
  readonly digest: Buffer;
  readonly user_id: number;
  readonly now: Date;
  readonly expires_at: Date;
}

/** False when the user has `max` links already; the caller has locked the user's row. */
export async function insertResetLink(tx: Db, link: NewResetLink, max: number): Promise<boolean> {
  const rows = await run(
    tx,
    `insert into user_links (digest, user_id, purpose, expires_at)
     select $1, $2, 'reset', $3
      where (select count(*) from user_links
              where user_id = $2 and purpose = 'reset' and expires_at > $4) < $5
     returning user_id`,
    [link.digest, link.user_id, link.expires_at, link.now, max],
  );
  return rows.length === 1;
}

/** A link that was sent to no user. */
export const dropResetLink = (tx: Db, digest: Buffer) =>
  tx.deleteFrom('user_links').where('digest', '=', digest).execute();

/** The user of a link, and the time of that user's reset before. */
export const findResetLink = (db: Db, digest: Buffer) =>
  db
    .selectFrom('user_links as l')
    .innerJoin('users as u', 'u.user_id', 'l.user_id')
    .where('l.digest', '=', digest)
    .where('l.purpose', '=', 'reset')
    .select(['l.user_id', 'l.expires_at', 'u.password_reset_at'])
    .executeTakeFirst();

/**
 * Takes the link and every other reset link of its user. Answers the user, if the link was still valid, and the time
 * of the reset before; locks the user's row.
 */
export async function takeResetLink(tx: Db, digest: Buffer, now: Date) {
  const taken = await tx
    .deleteFrom('user_links')
    .where('digest', '=', digest)
    .where('purpose', '=', 'reset')
    .where('expires_at', '>', now.toISOString())
    .returning('user_id')
    .executeTakeFirst();
  if (!taken) return undefined;
  await tx
    .deleteFrom('user_links')
    .where('user_id', '=', taken.user_id)
    .where('purpose', '=', 'reset')
    .execute();
  return tx
    .selectFrom('users')
    .where('user_id', '=', taken.user_id)
    .forNoKeyUpdate()
    .select(['user_id', 'password_reset_at'])
    .executeTakeFirstOrThrow();
}
