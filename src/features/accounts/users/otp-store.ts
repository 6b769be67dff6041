import type { Db } from '#kernel/db/db.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';

export interface NewOtp {
  readonly user_id: number;
  /** The requester of the code, see `askerMark`. */
  readonly asker: string;
  readonly digest: Buffer;
  readonly expires_at: Date;
  /** An older code that expires later than this is too young to be replaced. */
  readonly replaceable_until: Date;
}

/** False while the requester's last code is too young to be replaced. */
export async function replaceOtp(tx: Db, otp: NewOtp): Promise<boolean> {
  const fresh = { digest: otp.digest, tries: 0, expires_at: otp.expires_at.toISOString() };
  const row = await tx
    .insertInto('user_otps')
    .values({ user_id: otp.user_id, purpose: PROFILE, asker: otp.asker, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'purpose', 'asker'])
        .doUpdateSet(fresh)
        .where('user_otps.expires_at', '<=', otp.replaceable_until.toISOString()),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

const PROFILE = 'profile';
const TRIES_MAX = 5;

export interface OtpClaim {
  readonly user_id: number;
  readonly asker: string;
  readonly digest: Buffer;
  readonly at: Date;
}

/** Uses the code up when it is right and in time; otherwise counts the try. False for a wrong one. */
export async function takeOtp(tx: Db, { user_id, asker, digest, at }: OtpClaim): Promise<boolean> {
  const taken = await tx
    .deleteFrom('user_otps')
    .where('user_id', '=', user_id)
    .where('purpose', '=', PROFILE)
    .where('asker', '=', asker)
    .where('digest', '=', digest)
    .where('tries', '<', TRIES_MAX)
    .where('expires_at', '>', at.toISOString())
    .returning('user_id')
    .executeTakeFirst();
  if (taken) return true;
  await tx
    .updateTable('user_otps')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('user_id', '=', user_id)
    .where('purpose', '=', PROFILE)
    .where('asker', '=', asker)
    .execute();
  return false;
}

export const forgetLapsedOtps = (db: Db, before: string): Promise<void> =>
  deleteInBatches(db, 'user_otps', 'expires_at < $1', [before]);
