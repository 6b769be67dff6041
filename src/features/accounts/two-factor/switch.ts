import { decide } from '#kernel/access/attempts.ts';
import type { SentProof } from '#kernel/access/fresh-proof.ts';
import { guessOf } from '#kernel/access/password-proof.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import {
  audit,
  refuse,
  refuseCode,
  type TwoFactorCall,
  verifyProof,
  withPassword,
} from './acting.ts';
import { secondFactors, type TwoFactorProof } from './second-factor.ts';
import { notSetUp } from './set-up.ts';
import {
  disable,
  enable,
  lockSettings,
  lockTwoFactorUser,
  recordTwoFactorUse,
  spendBackupCode,
} from './store.ts';

/**
 * With a code, which shows that the secret has arrived in an authenticator, and a proof that it is the owner's. An
 * e-mail notifies the user.
 */
export async function switchOn(
  acting: TwoFactorCall,
  code: string,
  sent: SentProof,
): Promise<void> {
  const { db, user_id, vault, clock, attempts } = acting;
  const shown = await verifyProof(acting, sent);
  await decide(db, async (tx) => {
    await attempts.admit(tx, guessOf(acting));
    const refusal = await shown(tx);
    if (refusal) return refuse(tx, acting, ['enabled', 'not_proven'], refusal);
    await lockTwoFactorUser(tx, user_id);
    const settings = await lockSettings(tx, user_id);
    if (!settings) return refuse(tx, acting, ['enabled', 'not_set_up'], notSetUp());
    if (settings.is_enabled) {
      const refusal = fail('TWO_FACTOR_ALREADY_ENABLED', '2FA is already enabled');
      return refuse(tx, acting, ['enabled', 'already_enabled'], refusal);
    }
    const proof = secondFactors(vault).read(user_id, settings.sealed_secret, code, clock.now());
    // The caller who enables it knows the secret, so this code may also be the first to log in with.
    if (proof?.method !== 'totp') return refuseCode(tx, acting);
    await enable(tx, user_id, clock.now());
    await audit(tx, acting, 'enabled');
    await acting.notices.sendDue(tx, user_id);
    return undefined;
  });
}

/** With the password and a code or an unused backup code. An e-mail notifies the user. */
export async function switchOff(
  acting: TwoFactorCall,
  code: string,
  password: string,
): Promise<void> {
  const { user_id, vault, clock } = acting;
  await withPassword(acting, 'disabled', password, async (tx) => {
    const settings = await lockSettings(tx, user_id);
    if (!settings?.is_enabled) {
      const refusal = fail('TWO_FACTOR_NOT_ENABLED', '2FA is not enabled');
      return refuse(tx, acting, ['disabled', 'not_enabled'], refusal);
    }
    const proof = secondFactors(vault).read(user_id, settings.sealed_secret, code, clock.now());
    if (!proof || !(await spend(tx, acting, proof))) return refuseCode(tx, acting);
    await disable(tx, user_id);
    await audit(tx, acting, 'disabled');
    await acting.notices.sendDue(tx, user_id);
    return undefined;
  });
}

/** The code of the latest log-in still counts here, since the password goes with it. */
async function spend(
  tx: Db,
  { user_id, clock }: TwoFactorCall,
  proof: TwoFactorProof,
): Promise<boolean> {
  if (proof.method === 'backup-code') return spendBackupCode(tx, user_id, proof.mark, clock.now());
  await recordTwoFactorUse(tx, user_id, proof.step, clock.now());
  return true;
}
