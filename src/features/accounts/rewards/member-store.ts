import { sql } from 'kysely';
import { type Db, now, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { sqlState } from '#kernel/db/sql-errors.ts';
import { fail } from '#kernel/error.ts';
import { emitJoined } from './events.ts';

const COLUMNS = [
  'userx_id',
  'phonex',
  'usernamex',
  'emailx',
  'role',
  'userx_status',
  'inviter_id',
  'device_token',
] as const;

/** A user of the rewards app. */
export type Member = Row<'userx', (typeof COLUMNS)[number]>;

export const findByPhone = (db: Db, phone: string): Promise<Member | undefined> =>
  db.selectFrom('userx').where('phonex', '=', phone).select(COLUMNS).executeTakeFirst();

/** The member of that number, created where there is none; nothing when another transaction creates it. */
export async function findOrInsertMember(
  tx: Db,
  phone: string,
): Promise<(Member & { readonly created: boolean }) | undefined> {
  const [row] = await run<Member & { created: boolean }>(tx, FIND_OR_INSERT, [phone]);
  if (row?.created) emitJoined(tx, row);
  return row;
}

const FIND_OR_INSERT = `
  with found as (select ${COLUMNS.join()} from userx where phonex = $1),
  made as (
    insert into userx (phonex) select $1 where not exists (select from found)
    on conflict on constraint userx_phone_once do nothing returning ${COLUMNS.join()})
  select *, false as created from found union all select *, true from made`;

export async function readMember(db: Db, userx_id: number): Promise<Member> {
  const query = db.selectFrom('userx').where('userx_id', '=', userx_id).select(COLUMNS);
  return active(await query.executeTakeFirst());
}

/** The number of a member, whatever their status. */
export async function phoneOfMember(db: Db, userx_id: number): Promise<string> {
  const query = db.selectFrom('userx').where('userx_id', '=', userx_id).select('phonex');
  return (await query.executeTakeFirstOrThrow()).phonex;
}

/** With the row locked, so that the actions of one member are decided one after the other. */
export async function lockMember(tx: Db, userx_id: number): Promise<Member> {
  const query = tx.selectFrom('userx').where('userx_id', '=', userx_id).select(COLUMNS);
  return active(await query.forNoKeyUpdate().executeTakeFirst());
}

/** Throws 404 where there is no such member, 403 for an account that was deactivated or deleted. */
export function active(member: Member | undefined): Member {
  if (!member) throw fail('USER_NOT_FOUND', 'User not found');
  if (member.userx_status === 'ACTIVE') return member;
  const what = member.userx_status === 'DELETED' ? 'deleted' : 'deactivated';
  throw fail('ACCOUNT_NOT_ACTIVE', `Account has been ${what}`);
}

/** Throws 409 when another member has that name, in upper or lower case. */
export const setUsername = (tx: Db, userx_id: number, usernamex: string): Promise<void> =>
  update(tx, userx_id, { usernamex }, () => fail('CONFLICT', 'Username is already taken'));

export const emailTaken = () =>
  fail('EMAIL_IN_USE', 'Email is already used by another verified user');

/** Throws 409 when another member has proven that address. */
export const setEmail = (tx: Db, userx_id: number, emailx: string): Promise<void> =>
  update(tx, userx_id, { emailx }, emailTaken);

export async function isEmailTaken(db: Db, userx_id: number, email: string): Promise<boolean> {
  const rows = await run(
    db,
    `select from userx
      where lower(emailx) = lower($2) and userx_status <> 'DELETED' and userx_id <> $1`,
    [userx_id, email],
  );
  return rows.length > 0;
}

/** Whether the member had no inviter yet. */
export async function setInviter(tx: Db, userx_id: number, inviter_id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('userx')
    .set({ inviter_id })
    .where('userx_id', '=', userx_id)
    .where('inviter_id', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A literal, so that every plan can use the index of members who have not deleted their account. */
const DELETED = sql.lit('DELETED');

/** Newest first, without deleted accounts. */
export const listInvited = (
  db: Db,
  inviter_id: number,
  page: { readonly limit: number; readonly before: number | undefined },
) =>
  db
    .selectFrom('userx')
    .where('inviter_id', '=', inviter_id)
    .where('userx_status', '<>', DELETED)
    .$if(page.before !== undefined, (q) => q.where('userx_id', '<', page.before ?? 0))
    .orderBy('userx_id', 'desc')
    .limit(page.limit)
    .select(['userx_id', 'usernamex', 'emailx', 'phonex', 'created_at'])
    .execute();

/** Keeps the number and the points, and deletes the personal data. */
export async function deleteMember(tx: Db, userx_id: number): Promise<void> {
  await tx
    .updateTable('userx')
    .set({ userx_status: 'DELETED', deleted_at: now, device_token: null })
    .where('userx_id', '=', userx_id)
    .execute();
  await tx.deleteFrom('userx_contacts').where('userx_id', '=', userx_id).execute();
  await tx.deleteFrom('userx_email_codes').where('userx_id', '=', userx_id).execute();
}

async function update(
  tx: Db,
  userx_id: number,
  change: { readonly usernamex?: string; readonly emailx?: string },
  taken: () => Error,
): Promise<void> {
  const query = tx.updateTable('userx').set(change).where('userx_id', '=', userx_id);
  await query.execute().catch((error: unknown) => {
    throw sqlState(error) === '23505' ? taken() : error;
  });
}
