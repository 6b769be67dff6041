import { type Db, run } from '#kernel/db/db.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';
import type { Row } from '#kernel/db/row.ts';

export type OwnProfile = Row<
  'users',
  'user_id' | 'client_id' | 'username' | 'email' | 'phone' | 'twofa_enabled' | 'created' | 'updated'
> &
  Pick<
    Row<'profiles'>,
    'first_name' | 'last_name' | 'prefers_email' | 'prefers_sms' | 'prefers_push' | 'version'
  > & {
    readonly locale: 'en' | 'id' | null;
    readonly time_zone: string | null;
    readonly is_verified: boolean;
    readonly changed_at: string | null;
    readonly pending_email: string | null;
    readonly pending_until: string | null;
    readonly erases_at: string | null;
    readonly closing_items: unknown;
  };

const PROFILE = `
  select u.user_id, u.client_id, u.username, u.email, u.phone, u.twofa_enabled, u.created, u.updated,
         p.first_name, p.last_name, p.locale, p.time_zone, coalesce(p.prefers_email, true) as prefers_email,
         coalesce(p.prefers_sms, true) as prefers_sms, coalesce(p.prefers_push, true) as prefers_push,
         coalesce(p.version, 1) as version, p.updated_at as changed_at,
         exists (select from verifications v
           where v.user_id = u.user_id and v.kind = 'KYC' and v.status = 'APPROVED') as is_verified,
         e.new_email as pending_email, e.confirms_until as pending_until, c.erases_at, c.items as closing_items
    from users u left join profiles p using (user_id)
    left join account_closings c on c.user_id = u.user_id and c.status = 'CLOSING'
    left join email_changes e on e.user_id = u.user_id and e.confirmed_at is null and e.over_at is null
      and e.confirms_until > service_now()
   where u.user_id = $1`;

export async function readProfile(db: Db, user_id: number): Promise<OwnProfile> {
  const [row] = await run<OwnProfile>(db, PROFILE, [user_id]);
  if (!row) throw new Error(`User ${user_id} does not exist`);
  return row;
}

/** The same with the user's row locked. */
export async function lockProfile(tx: Db, user_id: number): Promise<OwnProfile> {
  await run(tx, 'select from users where user_id = $1 for no key update', [user_id]);
  return readProfile(tx, user_id);
}

export type ProfileFields = Pick<
  OwnProfile,
  | 'first_name'
  | 'last_name'
  | 'locale'
  | 'time_zone'
  | 'prefers_email'
  | 'prefers_sms'
  | 'prefers_push'
>;

/** The user's row is locked. */
export const writeProfile = (tx: Db, user_id: number, fields: ProfileFields) =>
  run(
    tx,
    `insert into profiles as p (user_id, first_name, last_name, locale, time_zone, prefers_email, prefers_sms,
       prefers_push, version)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 2)
     on conflict (user_id) do update set first_name = $2, last_name = $3, locale = $4, time_zone = $5,
       prefers_email = $6, prefers_sms = $7, prefers_push = $8, version = p.version + 1,
       updated_at = service_now()`,
    [
      user_id,
      fields.first_name,
      fields.last_name,
      fields.locale,
      fields.time_zone,
      fields.prefers_email,
      fields.prefers_sms,
      fields.prefers_push,
    ],
  );

export interface NewEmailChange {
  readonly change_id: string;
  readonly user_id: number;
  readonly old_email: string;
  readonly new_email: string;
  readonly digest: Buffer;
  readonly undo_digest: Buffer;
  readonly confirms_until: Date;
  readonly undo_until: Date;
}

/** In place of one that waits; the user's row is locked. */
export async function insertEmailChange(tx: Db, change: NewEmailChange): Promise<void> {
  await run(
    tx,
    `update email_changes set over_at = service_now()
      where user_id = $1 and confirmed_at is null and over_at is null`,
    [change.user_id],
  );
  await run(
    tx,
    `insert into email_changes (change_id, user_id, old_email, new_email, digest, undo_digest, confirms_until,
       undo_until) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      change.change_id,
      change.user_id,
      change.old_email,
      change.new_email,
      change.digest,
      change.undo_digest,
      change.confirms_until,
      change.undo_until,
    ],
  );
}

export type EmailChange = Row<
  'email_changes',
  | 'change_id'
  | 'user_id'
  | 'old_email'
  | 'new_email'
  | 'confirms_until'
  | 'undo_until'
  | 'confirmed_at'
  | 'over_at'
> & { readonly serial: string };

const CHANGE = `select change_id, serial, user_id, old_email, new_email, confirms_until, undo_until, confirmed_at,
  over_at from email_changes`;

/** By the digest of one of its two links. */
export async function findEmailChange(
  db: Db,
  link: 'confirm' | 'undo',
  digest: Buffer,
): Promise<EmailChange | undefined> {
  const column = link === 'confirm' ? 'digest' : 'undo_digest';
  return (await run<EmailChange>(db, `${CHANGE} where ${column} = $1`, [digest]))[0];
}

/** Uses a change up, once; false where it was over. */
export async function confirmEmailChange(tx: Db, change_id: string): Promise<boolean> {
  const text = `update email_changes set confirmed_at = service_now()
    where change_id = $1 and confirmed_at is null and over_at is null and confirms_until > service_now()
    returning 1`;
  return (await run(tx, text, [change_id])).length > 0;
}

/**
 * Ends a change that is undone and all later ones, whose links the same thief may hold. False where it was undone
 * before.
 */
export async function undoEmailChange(
  tx: Db,
  { user_id, serial }: Pick<EmailChange, 'user_id' | 'serial'>,
): Promise<boolean> {
  const text = `update email_changes set over_at = service_now()
    where user_id = $1 and serial >= $2 and over_at is null returning serial`;
  const ended = await run<Pick<EmailChange, 'serial'>>(tx, text, [user_id, serial]);
  return ended.some((one) => one.serial === serial);
}

export interface NewPhoneChange {
  readonly user_id: number;
  readonly otp_id: string;
  readonly asker: string;
  readonly new_phone: string;
  readonly fingerprint: Buffer;
  readonly resend_at: Date;
  readonly expires_at: Date;
}

/** In place of an earlier one; false where that is not old enough. */
export async function putPhoneChange(tx: Db, change: NewPhoneChange): Promise<boolean> {
  const rows = await run(
    tx,
    `insert into phone_changes as c (user_id, otp_id, asker, new_phone, fingerprint, resend_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (user_id) do update
       set otp_id = $2, asker = $3, new_phone = $4, fingerprint = $5, tries = 0, resend_at = $6, expires_at = $7
       where c.resend_at <= service_now()
     returning 1`,
    [
      change.user_id,
      change.otp_id,
      change.asker,
      change.new_phone,
      change.fingerprint,
      change.resend_at,
      change.expires_at,
    ],
  );
  return rows.length > 0;
}

export type PhoneChange = Row<
  'phone_changes',
  'otp_id' | 'new_phone' | 'fingerprint' | 'tries' | 'expires_at'
>;

/** Of its own caller, with the row locked. */
export async function lockPhoneChange(
  tx: Db,
  { user_id, otp_id, asker }: Pick<NewPhoneChange, 'user_id' | 'otp_id' | 'asker'>,
): Promise<PhoneChange | undefined> {
  const text = `select otp_id, new_phone, fingerprint, tries, expires_at from phone_changes
    where user_id = $1 and otp_id = $2 and asker = $3 for update`;
  return (await run<PhoneChange>(tx, text, [user_id, otp_id, asker]))[0];
}

export const countPhoneChangeTry = (tx: Db, user_id: number) =>
  run(tx, 'update phone_changes set tries = tries + 1 where user_id = $1', [user_id]);

export const dropPhoneChange = (tx: Db, user_id: number) =>
  run(tx, 'delete from phone_changes where user_id = $1', [user_id]);

/** Forgets what can neither be confirmed nor undone. */
export async function forgetProfileChanges(db: Db, before: string): Promise<void> {
  await deleteInBatches(db, 'email_changes', 'undo_until <= $1', [before]);
  await deleteInBatches(db, 'phone_changes', 'expires_at <= $1', [before]);
}
