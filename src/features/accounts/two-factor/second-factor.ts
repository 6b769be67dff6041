import type { SealedKind } from '#kernel/secrets/sealed.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { stepOf } from './totp.ts';

/** The kind of a code, before the check whether it may still be used. */
export type TwoFactorProof =
  | { readonly method: 'totp'; readonly step: number; readonly mark: Buffer }
  | { readonly method: 'backup-code'; readonly mark: Buffer };

const BACKUP_CODE = /^[0-9A-F]{8}$/;
const TOTP_CODE = /^\d{6}$/;

/** The stored secret of the authenticator and the backup codes. */
export interface SecondFactors {
  seal(user_id: number, secret: string): string;
  /** The mark of a backup code: keyed, since there are few enough codes to try out. */
  backupMark(user_id: number, code: string): Buffer;
  /** The stored form beside its mark, which shows it again until it is used. */
  sealBackup(user_id: number, code: string): string;
  openBackup(user_id: number, sealed: string): string;
  /** Undefined where it can only be wrong. The mark shows whether a backup code exists. */
  read(user_id: number, sealed: string, code: string, now: Date): TwoFactorProof | undefined;
}

export function secondFactors(vault: Vault): SecondFactors {
  const context = (user_id: number) => `two-factor:${user_id}`;
  const backupContext = (user_id: number) => `two-factor backup:${user_id}`;
  const backupMark = (user_id: number, code: string) =>
    vault.fingerprint(`backup ${code}`, context(user_id));
  return {
    seal: (user_id, secret) => vault.seal(secret, context(user_id)),
    backupMark,
    sealBackup: (user_id, code) => vault.seal(code, backupContext(user_id)),
    openBackup: (user_id, sealed) => vault.open(sealed, backupContext(user_id)),
    read(user_id, sealed, sent, now) {
      const code = sent.trim().toUpperCase();
      if (BACKUP_CODE.test(code)) return { method: 'backup-code', mark: backupMark(user_id, code) };
      if (!TOTP_CODE.test(code)) return undefined;
      const step = stepOf(vault.open(sealed, context(user_id)), code, now);
      if (step === undefined) return undefined;
      return { method: 'totp', step, mark: vault.fingerprint(`step ${step}`, context(user_id)) };
    },
  };
}

/** The mark of a backup code also shows whether the oldest master key is still the same. */
export const SEALED_FACTORS: readonly SealedKind[] = [
  {
    what: 'secrets of authenticators',
    text: `select sealed_secret as sealed, 'two-factor:' || user_id as context, null::bytea as mark from two_factor`,
  },
  {
    what: 'backup codes',
    text: `select sealed_code as sealed, 'two-factor backup:' || user_id as context, fingerprint as mark
      from two_factor_backup_codes where sealed_code is not null`,
    markOf: (vault, code, context) =>
      secondFactors(vault).backupMark(Number(context.split(':')[1]), code),
  },
];
