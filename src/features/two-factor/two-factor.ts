import { randomUUID } from 'node:crypto';
import { type Attempt, type Attempts, accountOf } from '#kernel/access/attempts.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/http/error.ts';
import type { RequestFacts } from '#kernel/http/route.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { writeAudit } from './audit.ts';
import { type Proof, secondFactors } from './second-factor.ts';
import {
  type Challenge,
  countsElsewhere,
  findBackupCode,
  findChallenge,
  forgetChallenges,
  insertChallenge,
  lockSettings,
  markChallenge,
  noteUse,
  spendBackupCode,
} from './store.ts';

/** How long a proven password waits for its code (decisions: Smaller points, log-in). */
const CHALLENGE_MS = 10 * 60_000;
/** Of a million codes five are right at a time, so guesses must be few from however many addresses. */
const GUESSES_A_DAY = { failures: 50, withinMs: 24 * 3600_000 };

/**
 * Wrong codes for a password that was proven, from wherever: no stranger gets this far, so that this
 * is no way to lock anybody out without knowing the password.
 */
const guessedAt = (user_id: number): Attempt => ({
  accounts: [`code:${user_id}`],
  allowance: GUESSES_A_DAY,
});

export interface CodeTry {
  readonly user_id: number;
  /** The API key that the password was proven with. */
  readonly key_id: number;
  readonly code: string;
  /** False only checks the code for this log-in; true finishes it with the code. */
  readonly consume: boolean;
  readonly request: RequestFacts;
}

export type CodeVerdict =
  | { readonly ok: true; readonly method: Proof['method'] }
  | {
      readonly ok: false;
      readonly reason: 'not_enabled' | 'no_open_login' | 'invalid_code' | 'code_already_used';
    };

/** The second half of a log-in, for whoever logs people in. */
export interface LoginCodes {
  /** Remembers that the password has been proven and the code has not. */
  ask(tx: Db, user_id: number, key_id: number): Promise<void>;
  /**
   * Judges a code for the log-in that waits with that API key. It counts for one log-in: there it
   * may be checked any number of times and then used once. Throws RATE_LIMITED; what a wrong code
   * leaves behind is in `tx`, which must be committed.
   */
  try(tx: Db, attempt: CodeTry): Promise<CodeVerdict>;
  /** Log-ins that wait for a code must begin anew, as after a change of password. */
  forget(tx: Db, user_id: number): Promise<void>;
}

export function createLoginCodes(deps: {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly attempts: Attempts;
}): LoginCodes {
  const { clock, vault, attempts } = deps;
  const factors = secondFactors(vault);
  return {
    ask: (tx, user_id, key_id) =>
      insertChallenge(tx, {
        challenge_id: randomUUID(),
        user_id,
        key_id,
        expires_at: new Date(clock.now().getTime() + CHALLENGE_MS),
      }),
    async try(tx, attempt) {
      const { user_id, request } = attempt;
      const guess = { accounts: [accountOf(user_id)], ip: request.ip };
      await attempts.admit(tx, guess);
      const verdict = await judge(tx, attempt);
      // A used code is no guess, and without a password there was nothing to guess at.
      if (!verdict.ok && verdict.reason === 'invalid_code')
        await attempts.fail(tx, guess, guessedAt(user_id));
      if (verdict.ok) await writeAudit(tx, { user_id, action: 'verified', request });
      else if (verdict.reason !== 'not_enabled' && !(await isNoise(tx, user_id, verdict.reason))) {
        const failure_reason = verdict.reason;
        await writeAudit(tx, { user_id, action: 'failed_verification', failure_reason, request });
      }
      return verdict;
    },
    async forget(tx, user_id) {
      await forgetChallenges(tx, user_id);
      await attempts.forget(tx, guessedAt(user_id));
    },
  };

  /** Whoever knows a user's number comes this far, and must not fill that user's audit log. */
  async function isNoise(tx: Db, user_id: number, reason: string): Promise<boolean> {
    if (reason !== 'no_open_login') return false;
    const knock = { accounts: [`knock:${user_id}`] };
    try {
      await attempts.admit(tx, knock);
    } catch (error) {
      if (error instanceof AppError) return true;
      throw error;
    }
    await attempts.fail(tx, knock);
    return false;
  }

  async function judge(tx: Db, { user_id, key_id, code, consume }: CodeTry): Promise<CodeVerdict> {
    const now = clock.now();
    const settings = await lockSettings(tx, user_id);
    if (!settings?.is_enabled) return { ok: false, reason: 'not_enabled' };
    const proof = factors.read(user_id, settings.sealed_secret, code, now);
    const challenge = await findChallenge(tx, { user_id, key_id, now }, proof?.mark);
    if (!challenge) return { ok: false, reason: 'no_open_login' };
    await attempts.admit(tx, guessedAt(user_id));
    if (!proof) return { ok: false, reason: 'invalid_code' };
    const refusal = await refusalOf(tx, proof, challenge, settings.last_step);
    if (refusal) return { ok: false, reason: refusal };
    if (consume && proof.method === 'backup-code')
      await spendBackupCode(tx, user_id, proof.mark, now);
    await noteUse(tx, user_id, proof.method === 'totp' ? proof.step : 0, now);
    await markChallenge(tx, challenge, proof.mark, consume ? now : null);
    return { ok: true, method: proof.method };
  }

  /** Why a right code can't be used for this log-in. */
  async function refusalOf(tx: Db, proof: Proof, challenge: Challenge, lastStep: number) {
    const countsHere = challenge.verified?.equals(proof.mark) ?? false;
    if (proof.method === 'totp')
      return countsHere || proof.step > lastStep ? undefined : 'code_already_used';
    const known = await findBackupCode(tx, challenge.user_id, proof.mark);
    if (!known) return 'invalid_code';
    const taken =
      known.used_at !== null || (await countsElsewhere(tx, challenge, proof.mark, clock.now()));
    return taken ? 'code_already_used' : undefined;
  }
}
