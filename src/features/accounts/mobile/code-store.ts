import { type Db, run } from '#kernel/db/db.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';
import type { Row } from '#kernel/db/row.ts';
import type { DeviceInput } from './shapes.ts';

export type CodeChannel = 'wa' | 'sms' | 'auto';

export interface NewMobileCode {
  readonly otp_id: string;
  readonly client_id: number | null;
  readonly phone: string;
  readonly asker: string;
  readonly channel: CodeChannel;
  readonly resend_at: Date;
  readonly expires_at: Date;
}

/** In place of the one that this caller has asked for before; false where that is not old enough. */
export async function putMobileCode(tx: Db, code: NewMobileCode): Promise<boolean> {
  const rows = await run(
    tx,
    `insert into mobile_codes as c (otp_id, client_id, phone, asker, channel, resend_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (phone, asker) do update
       set otp_id = excluded.otp_id, client_id = excluded.client_id, channel = excluded.channel,
           user_id = null, fingerprint = null, message_id = null, tries = 0,
           resend_at = excluded.resend_at, expires_at = excluded.expires_at
       where c.resend_at <= service_now()
     returning 1`,
    [
      code.otp_id,
      code.client_id,
      code.phone,
      code.asker,
      code.channel,
      code.resend_at,
      code.expires_at,
    ],
  );
  return rows.length > 0;
}

/** When that caller may ask for another one. */
export async function resendAt(tx: Db, phone: string, asker: string): Promise<string | undefined> {
  const text = 'select resend_at from mobile_codes where phone = $1 and asker = $2';
  const [row] = await run<Row<'mobile_codes', 'resend_at'>>(tx, text, [phone, asker]);
  return row?.resend_at;
}

export type MobileCode = Row<
  'mobile_codes',
  | 'otp_id'
  | 'client_id'
  | 'phone'
  | 'user_id'
  | 'fingerprint'
  | 'message_id'
  | 'tries'
  | 'expires_at'
> & { readonly channel: CodeChannel };

const CODE = `select otp_id, client_id, phone, channel, user_id, fingerprint, message_id, tries, expires_at
  from mobile_codes where otp_id = $1`;

/** Locked, so that concurrent tries count like sequential ones; of its own caller only. */
export async function lockMobileCode(
  tx: Db,
  otp_id: string,
  asker: string,
): Promise<MobileCode | undefined> {
  return (await run<MobileCode>(tx, `${CODE} and asker = $2 for update`, [otp_id, asker]))[0];
}

/** The same for the job that sends it. */
export async function lockCodeToSend(tx: Db, otp_id: string): Promise<MobileCode | undefined> {
  return (await run<MobileCode>(tx, `${CODE} for update`, [otp_id]))[0];
}

export interface SentMobileCode {
  readonly user_id: number;
  readonly fingerprint: Buffer;
  readonly message_id: string;
}

export const noteCodeSent = (tx: Db, otp_id: string, sent: SentMobileCode) =>
  run(
    tx,
    'update mobile_codes set user_id = $2, fingerprint = $3, message_id = $4 where otp_id = $1',
    [otp_id, sent.user_id, sent.fingerprint, sent.message_id],
  );

export const countMobileTry = (tx: Db, otp_id: string) =>
  run(tx, 'update mobile_codes set tries = tries + 1 where otp_id = $1', [otp_id]);

/** Used; its row stays, so that asking for the next one waits as after any. */
export const useMobileCode = (tx: Db, otp_id: string) =>
  run(
    tx,
    'update mobile_codes set user_id = null, fingerprint = null, tries = 5 where otp_id = $1',
    [otp_id],
  );

const OF_PHONE = `select u.user_id from users u join clients c using (client_id)
  where u.phone = $1 and u.user_status = 'ACTIVE' and client_is_open(c.client_status)`;

/** The active users of a phone, two at most; of one client, where the key serves only that. */
export const usersOfPhone = (
  tx: Db,
  phone: string,
  client_id: number | null,
): Promise<Row<'users', 'user_id'>[]> =>
  client_id === null
    ? run<Row<'users', 'user_id'>>(tx, `${OF_PHONE} limit 2`, [phone])
    : run<Row<'users', 'user_id'>>(tx, `${OF_PHONE} and u.client_id = $2 limit 2`, [
        phone,
        client_id,
      ]);

export interface WaitingLogIn {
  readonly login_id: string;
  readonly user_id: number;
  readonly asker: string;
  readonly phone: string;
  readonly device: DeviceInput;
  readonly expires_at: Date;
}

export async function insertWaitingLogIn(tx: Db, login: WaitingLogIn): Promise<void> {
  const { login_id, user_id, asker, phone, device, expires_at } = login;
  await run(
    tx,
    `insert into mobile_logins (login_id, user_id, asker, phone, device, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [login_id, user_id, asker, phone, JSON.stringify(device), expires_at],
  );
}

type FoundLogIn = Row<'mobile_logins', 'user_id' | 'phone' | 'expires_at'> & {
  readonly device: DeviceInput;
};

/** Of its own caller only. */
export async function findWaitingLogIn(
  db: Db,
  login_id: string,
  asker: string,
): Promise<FoundLogIn | undefined> {
  const text = `select user_id, phone, device, expires_at from mobile_logins
    where login_id = $1 and asker = $2`;
  return (await run<FoundLogIn>(db, text, [login_id, asker]))[0];
}

/** Whether it was still there. */
export async function takeWaitingLogIn(tx: Db, login_id: string): Promise<boolean> {
  const text = 'delete from mobile_logins where login_id = $1 returning 1';
  return (await run(tx, text, [login_id])).length > 0;
}

/** A day later, so that a late code is answered as late. */
export async function forgetMobileCodes(db: Db, before: string): Promise<void> {
  await deleteInBatches(db, 'mobile_codes', 'expires_at <= $1', [before]);
  await deleteInBatches(db, 'mobile_logins', 'expires_at <= $1', [before]);
}
