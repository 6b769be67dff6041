import { randomBytes } from 'node:crypto';
import { decide } from '#kernel/access/attempts.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/http/error.ts';
import { type Acting, audit, refuse, withPassword } from './acting.ts';
import { secondFactors } from './second-factor.ts';
import { lockSettings, lockUser, replaceBackupCodes, saveSetup } from './store.ts';
import { newAuthenticator } from './totp.ts';

/** Contract part 1, Two-factor settings. */
const BACKUP_CODES = 8;

export const notSetUp = () => fail('TWO_FACTOR_NOT_SETUP', '2FA is not set up. Set it up first.');

/** A new secret and new backup codes, told this once. No code is asked for before `switchOn`. */
export async function setUp(acting: Acting) {
  const { db, user_id, vault } = acting;
  const { email } = await db
    .selectFrom('users')
    .where('user_id', '=', user_id)
    .select('email')
    .executeTakeFirstOrThrow();
  const authenticator = await newAuthenticator(email);
  const sealed = secondFactors(vault).seal(user_id, authenticator.secret);
  return decide(db, async (tx) => {
    await lockUser(tx, user_id);
    if (!(await saveSetup(tx, user_id, sealed))) {
      const told = '2FA is already enabled. Disable it first to setup again.';
      const refusal = fail('TWO_FACTOR_ALREADY_ENABLED', told);
      return refuse(tx, acting, ['setup', 'already_enabled'], refusal);
    }
    await audit(tx, acting, 'setup');
    const backup_codes = await newBackupCodes(tx, acting);
    return { ...authenticator, backup_codes, account_name: email };
  });
}

/** New backup codes instead of the old ones, of which only fingerprints are kept. */
export const renewBackupCodes = (acting: Acting, password: string): Promise<string[]> =>
  withPassword(acting, 'backup_codes', password, async (tx) => {
    if (!(await lockSettings(tx, acting.user_id)))
      return refuse(tx, acting, ['backup_codes', 'not_set_up'], notSetUp());
    await audit(tx, acting, 'backup_codes');
    return newBackupCodes(tx, acting);
  });

async function newBackupCodes(tx: Db, { user_id, vault }: Acting): Promise<string[]> {
  const distinct = new Set<string>();
  while (distinct.size < BACKUP_CODES) distinct.add(randomBytes(4).toString('hex').toUpperCase());
  const codes = [...distinct];
  const { backupMark } = secondFactors(vault);
  const marks = codes.map((code) => backupMark(user_id, code));
  await replaceBackupCodes(tx, user_id, marks);
  return codes;
}
