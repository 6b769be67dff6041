import type { Insertable } from 'kysely';
import { type Db, run } from '#kernel/db/db.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';
import type { Row } from '#kernel/db/row.ts';
import type { PhoneCodes, ProvenPhones } from '#kernel/db/schema.generated.ts';

/** A code that was sent; the table keeps only its digest under a key. */
export type StoredCode = Row<'phone_codes', 'fingerprint' | 'tries' | 'expires_at'>;

export interface NewEmailCode {
  readonly userx_id: number;
  readonly asker: string;
  readonly email: string;
  readonly fingerprint: Buffer;
  readonly expires_at: Date;
}

/** Replaces any code of the same requester. */
export async function putEmailCode(tx: Db, code: NewEmailCode): Promise<void> {
  const { userx_id, asker, email, fingerprint } = code;
  const fresh = { email, fingerprint, tries: 0, expires_at: code.expires_at.toISOString() };
  await tx
    .insertInto('userx_email_codes')
    .values({ userx_id, asker, ...fresh })
    .onConflict((conflict) => conflict.columns(['userx_id', 'asker']).doUpdateSet(fresh))
    .execute();
}

/** The lock of the member's row guards the code's. */
export const findEmailCode = (
  tx: Db,
  userx_id: number,
  asker: string,
): Promise<(StoredCode & { readonly email: string }) | undefined> =>
  tx
    .selectFrom('userx_email_codes')
    .where('userx_id', '=', userx_id)
    .where('asker', '=', asker)
    .select(['email', 'fingerprint', 'tries', 'expires_at'])
    .executeTakeFirst();

export const countEmailTry = (tx: Db, userx_id: number, asker: string) =>
  run(tx, 'update userx_email_codes set tries = tries + 1 where userx_id = $1 and asker = $2', [
    userx_id,
    asker,
  ]);

export const forgetEmailCodes = (tx: Db, userx_id: number) =>
  tx.deleteFrom('userx_email_codes').where('userx_id', '=', userx_id).execute();

export const forgetLapsedEmailCodes = (db: Db, at: string): Promise<void> =>
  deleteInBatches(db, 'userx_email_codes', 'expires_at <= $1', [at]);

/** The proof of a code: its receiver holds that phone, for that purpose. */
export interface MemberProof {
  readonly phone: string;
  readonly purpose: string;
}

/** The requester of a code, who alone can use it. */
export interface OwnCode extends MemberProof {
  readonly asker: string;
}

type NewPhoneCode = Insertable<PhoneCodes>;

/** Replaces any code of the same requester; its number is the newest one's. */
export async function putPhoneCode(tx: Db, code: NewPhoneCode): Promise<number> {
  const { otp_id } = await tx
    .insertInto('phone_codes')
    .values(code)
    .onConflict((conflict) =>
      conflict.columns(['phone', 'purpose', 'asker']).doUpdateSet(({ ref }) => ({
        otp_id: ref('excluded.otp_id'),
        fingerprint: ref('excluded.fingerprint'),
        tries: 0,
        expires_at: ref('excluded.expires_at'),
      })),
    )
    .returning('otp_id')
    .executeTakeFirstOrThrow();
  return otp_id;
}

/** A number that a requester has proven by a code. */
export type ProvenPhone = Row<'proven_phones', 'phone' | 'asker'>;

/** In a table of its own: no code that was sent, whatever its purpose, is ever taken for a proof. */
export const putProof = (tx: Db, proven: Insertable<ProvenPhones>) =>
  tx
    .insertInto('proven_phones')
    .values(proven)
    .onConflict((conflict) =>
      conflict.columns(['phone', 'asker']).doUpdateSet({ expires_at: proven.expires_at }),
    )
    .execute();

/** Uses it up; whether there was one that had not lapsed. */
export async function takeProof(tx: Db, proven: ProvenPhone, now: Date): Promise<boolean> {
  const taken = await tx
    .deleteFrom('proven_phones')
    .where('phone', '=', proven.phone)
    .where('asker', '=', proven.asker)
    .where('expires_at', '>', now.toISOString())
    .returning('phone')
    .executeTakeFirst();
  return taken !== undefined;
}

export const forgetLapsedProofs = (db: Db, at: string): Promise<void> =>
  deleteInBatches(db, 'proven_phones', 'expires_at <= $1', [at]);

/** With the row locked, so that concurrent tries count like sequential ones. */
export const lockPhoneCode = (
  tx: Db,
  { phone, purpose, asker }: OwnCode,
): Promise<StoredCode | undefined> =>
  tx
    .selectFrom('phone_codes')
    .where('phone', '=', phone)
    .where('purpose', '=', purpose)
    .where('asker', '=', asker)
    .forUpdate()
    .select(['fingerprint', 'tries', 'expires_at'])
    .executeTakeFirst();

export const countPhoneTry = (tx: Db, { phone, purpose, asker }: OwnCode) =>
  run(
    tx,
    `update phone_codes set tries = tries + 1 where phone = $1 and purpose = $2 and asker = $3`,
    [phone, purpose, asker],
  );

export const dropPhoneCode = (tx: Db, { phone, purpose, asker }: OwnCode) =>
  tx
    .deleteFrom('phone_codes')
    .where('phone', '=', phone)
    .where('purpose', '=', purpose)
    .where('asker', '=', asker)
    .execute();

export const forgetLapsedPhoneCodes = (db: Db, at: string): Promise<void> =>
  deleteInBatches(db, 'phone_codes', 'expires_at <= $1', [at]);
