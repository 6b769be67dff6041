import { type Attempt, type Attempts, accountOf } from '#kernel/access/attempts.ts';
import type { Claimant } from '#kernel/access/password-proof.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { writeAudit } from './audit-store.ts';
import { secondFactors, type TwoFactorProof } from './second-factor.ts';
import { lockSettings, lockTwoFactorUser, recordTwoFactorUse, spendBackupCode } from './store.ts';

/** From all addresses together, since the thief of a session may have many. */
const A_DAY = { failures: 50, withinMs: 24 * 3600_000 };

export interface CodeProofDeps {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly attempts: Attempts;
}

/**
 * Accepts a code of the second factor for another use than a log-in: each code counts once, here or there. False for
 * a wrong or used one, and where no second factor is enabled; it is counted then, in `tx`, which the caller has to
 * commit. Throws RATE_LIMITED.
 */
export const takeCode =
  ({ clock, vault, attempts }: CodeProofDeps) =>
  async (tx: Db, { user_id, request }: Claimant, code: string): Promise<boolean> => {
    const guesses: Attempt[] = [
      { accounts: [accountOf(user_id)], ip: request.ip },
      { accounts: [`proof:${user_id}`], allowance: A_DAY },
    ];
    await attempts.admit(tx, ...guesses);
    await lockTwoFactorUser(tx, user_id);
    const settings = await lockSettings(tx, user_id);
    const now = clock.now();
    const proof = settings?.is_enabled
      ? secondFactors(vault).read(user_id, settings.sealed_secret, code, now)
      : undefined;
    if (proof && (await use(tx, { user_id, proof, last_step: settings?.last_step ?? 0, now }))) {
      await writeAudit(tx, { user_id, action: 'verified', request });
      return true;
    }
    await attempts.recordFailure(tx, ...guesses);
    const failed = { action: 'failed_verification', failure_reason: 'invalid_code' } as const;
    if (settings) await writeAudit(tx, { user_id, ...failed, request });
    return false;
  };

interface Use {
  readonly user_id: number;
  readonly proof: TwoFactorProof;
  readonly last_step: number;
  readonly now: Date;
}

/** Whether it was new until now. */
async function use(tx: Db, { user_id, proof, last_step, now }: Use): Promise<boolean> {
  if (proof.method === 'backup-code') return spendBackupCode(tx, user_id, proof.mark, now);
  if (proof.step <= last_step) return false;
  await recordTwoFactorUse(tx, user_id, proof.step, now);
  return true;
}
