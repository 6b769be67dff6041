import { randomBytes } from 'node:crypto';
import { decide } from '#kernel/access/attempts.ts';
import type { SentProof } from '#kernel/access/fresh-proof.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { audit, refuse, type TwoFactorCall, verifyProof, withPassword } from './acting.ts';
import { secondFactors } from './second-factor.ts';
import {
  emailOf,
  listUnused,
  lockSettings,
  lockTwoFactorUser,
  replaceBackupCodes,
  saveSetup,
} from './store.ts';
import { newAuthenticator } from './totp.ts';

/** Contract part 1, Two-factor settings. */
const BACKUP_CODES = 8;

export const notSetUp = () => fail('TWO_FACTOR_NOT_SETUP', '2FA is not set up. Set it up first.');

/** A new secret, shown this once, and new backup codes. No log-in asks for a code before `switchOn`. */
export async function setUp(acting: TwoFactorCall, sent: SentProof) {
  const { db, user_id, vault } = acting;
  const shown = await verifyProof(acting, sent);
  const email = await emailOf(db, user_id);
  const authenticator = newAuthenticator(email);
  const sealed = secondFactors(vault).seal(user_id, authenticator.secret);
  return decide(db, async (tx) => {
    const unproven = await shown(tx);
    if (unproven) return refuse(tx, acting, ['setup', 'not_proven'], unproven);
    await lockTwoFactorUser(tx, user_id);
    if (!(await saveSetup(tx, user_id, sealed))) {
      const message = '2FA is already enabled. Disable it first to setup again.';
      const refusal = fail('TWO_FACTOR_ALREADY_ENABLED', message);
      return refuse(tx, acting, ['setup', 'already_enabled'], refusal);
    }
    await audit(tx, acting, 'setup');
    const backup_codes = await newBackupCodes(tx, acting);
    return { ...authenticator, backup_codes, account_name: email };
  });
}

export interface BackupCodes {
  readonly codes: string[];
  /** Whether they replace codes that cannot be shown. */
  readonly renewed: boolean;
}

/**
 * The unused backup codes (contract part 1, Two-factor). Older ones, from before they were kept sealed, have only
 * marks: they are replaced, this once.
 */
export const showBackupCodes = (acting: TwoFactorCall, password: string): Promise<BackupCodes> =>
  withPassword(acting, 'backup_codes', password, async (tx): Promise<BackupCodes | AppError> => {
    const { user_id, vault, notices } = acting;
    if (!(await lockSettings(tx, user_id)))
      return refuse(tx, acting, ['backup_codes', 'not_set_up'], notSetUp());
    await audit(tx, acting, 'backup_codes');
    await notices.record(tx, user_id, 'backup-codes-shown');
    await notices.sendDue(tx, user_id);
    const unused = await listUnused(tx, user_id);
    const sealed = unused.filter((code) => code !== null);
    if (sealed.length < unused.length)
      return { codes: await newBackupCodes(tx, acting), renewed: true };
    const { openBackup } = secondFactors(vault);
    return { codes: sealed.map((code) => openBackup(user_id, code)), renewed: false };
  });

async function newBackupCodes(tx: Db, { user_id, vault }: TwoFactorCall): Promise<string[]> {
  const distinct = new Set<string>();
  while (distinct.size < BACKUP_CODES) distinct.add(randomBytes(4).toString('hex').toUpperCase());
  const codes = [...distinct];
  const { backupMark, sealBackup } = secondFactors(vault);
  const kept = codes.map((code) => ({
    fingerprint: backupMark(user_id, code),
    sealed_code: sealBackup(user_id, code),
  }));
  await replaceBackupCodes(tx, user_id, kept);
  return codes;
}
