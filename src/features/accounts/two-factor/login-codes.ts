import { randomUUID } from 'node:crypto';
import { type Attempt, type Attempts, accountOf } from '#kernel/access/attempts.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import { networkOf } from '#kernel/network.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { writeAudit } from './audit-store.ts';
import { secondFactors, type TwoFactorProof } from './second-factor.ts';
import {
  type Challenge,
  type ChallengeKey,
  countsElsewhere,
  findBackupCode,
  findChallenge,
  forgetChallenges,
  insertChallenge,
  isWaiting,
  lockSettings,
  markChallenge,
  recordTwoFactorUse,
  spendBackupCode,
} from './store.ts';

/** How long a proven password waits for its code (decisions: Smaller points, log-in). */
const CHALLENGE_MS = 10 * 60_000;
/** Of a million codes five are right at a time, so the guesses from all addresses together must be few. */
const GUESSES_A_DAY = { failures: 50, withinMs: 24 * 3600_000 };

/** Wrong codes for a proven password, from anywhere: strangers never get this far. */
const attemptAt = (user_id: number): Attempt => ({
  accounts: [`code:${user_id}`],
  allowance: GUESSES_A_DAY,
});

/** The place of a log-in that waits for its code: no caller elsewhere, or with another key, can finish it. */
export interface ProofContext {
  readonly user_id: number;
  /** The API key of the proven password; null at the console. */
  readonly key_id: number | null;
  /** The network of the proven password; all addresses of one network are one. */
  readonly ip: string;
}

export interface CodeTry extends Omit<ProofContext, 'ip'> {
  readonly code: string;
  /** False only checks the code for this log-in; true finishes it with the code. */
  readonly consume: boolean;
  readonly request: RequestFacts;
}

export type CodeVerdict =
  | { readonly ok: true; readonly method: TwoFactorProof['method'] }
  | {
      readonly ok: false;
      readonly reason: 'not_enabled' | 'no_open_login' | 'invalid_code' | 'code_already_used';
    };

/** The second half of a log-in, for all ways to log in. */
export interface LoginCodes {
  /** Records that the password is proven there and the code is not. */
  openChallenge(tx: Db, place: ProofContext): Promise<void>;
  /** Whether a log-in waits there. One look, the same for every user and for none. */
  isOpen(db: Db, place: ProofContext): Promise<boolean>;
  /**
   * Judges a code for the log-in that waits there. A code counts for one log-in, which may check it any number of
   * times and then use it once. Throws RATE_LIMITED; it counts a wrong code in `tx`, which the caller has to commit.
   * Without a waiting log-in it judges, counts and writes nothing.
   */
  verify(tx: Db, attempt: CodeTry): Promise<CodeVerdict>;
  /** Log-ins that wait for a code have to start again, as after a change of password. */
  closeChallenges(tx: Db, user_id: number): Promise<void>;
}

const challengeKeyOf = ({ user_id, key_id, ip }: ProofContext): ChallengeKey => ({
  user_id,
  key_id,
  network: networkOf(ip),
});

interface CodeDeps {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly attempts: Attempts;
}

/** The place of a log-in and the checks of its codes. */
export function createLoginCodes(deps: CodeDeps): LoginCodes {
  const { clock, attempts } = deps;
  return {
    openChallenge: (tx, place) =>
      insertChallenge(tx, {
        challenge_id: randomUUID(),
        ...challengeKeyOf(place),
        expires_at: new Date(clock.now().getTime() + CHALLENGE_MS),
      }),
    isOpen: (db, place) => isWaiting(db, challengeKeyOf(place), clock.now()),
    async verify(tx, attempt) {
      const { user_id, key_id, request } = attempt;
      const key = challengeKeyOf({ user_id, key_id, ip: request.ip });
      if (!(await isWaiting(tx, key, clock.now()))) return { ok: false, reason: 'no_open_login' };
      const guess = { accounts: [accountOf(user_id)], ip: request.ip };
      await attempts.admit(tx, guess, attemptAt(user_id));
      const verdict = await judge(deps, tx, attempt, key);
      // A used code is no guess.
      if (!verdict.ok && verdict.reason === 'invalid_code')
        await attempts.recordFailure(tx, guess, attemptAt(user_id));
      if (verdict.ok) await writeAudit(tx, { user_id, action: 'verified', request });
      else if (verdict.reason !== 'no_open_login') {
        const failure_reason = verdict.reason;
        await writeAudit(tx, { user_id, action: 'failed_verification', failure_reason, request });
      }
      return verdict;
    },
    async closeChallenges(tx, user_id) {
      await forgetChallenges(tx, user_id);
      await attempts.clear(tx, attemptAt(user_id));
    },
  };
}

type JudgeDeps = Pick<CodeDeps, 'clock' | 'vault'>;

async function judge(
  { clock, vault }: JudgeDeps,
  tx: Db,
  { user_id, code, consume }: CodeTry,
  key: ChallengeKey,
): Promise<CodeVerdict> {
  const now = clock.now();
  const settings = await lockSettings(tx, user_id);
  if (!settings?.is_enabled) return { ok: false, reason: 'not_enabled' };
  const proof = secondFactors(vault).read(user_id, settings.sealed_secret, code, now);
  // Read again under the lock: another code may have finished it just now.
  const challenge = await findChallenge(tx, key, now, proof?.mark);
  if (!challenge) return { ok: false, reason: 'no_open_login' };
  if (!proof) return { ok: false, reason: 'invalid_code' };
  const refusal = await refusalOf(tx, proof, { challenge, now, lastStep: settings.last_step });
  if (refusal) return { ok: false, reason: refusal };
  if (consume && proof.method === 'backup-code')
    await spendBackupCode(tx, user_id, proof.mark, now);
  await recordTwoFactorUse(tx, user_id, proof.method === 'totp' ? proof.step : 0, now);
  await markChallenge(tx, challenge, proof.mark, consume ? now : null);
  return { ok: true, method: proof.method };
}

interface JudgedCode {
  readonly challenge: Challenge;
  readonly now: Date;
  /** The last log-in that used a code. */
  readonly lastStep: number;
}

/** The reason why a right code cannot be used for this log-in. */
async function refusalOf(tx: Db, proof: TwoFactorProof, { challenge, now, lastStep }: JudgedCode) {
  const countsHere = challenge.verified?.equals(proof.mark) ?? false;
  if (proof.method === 'totp')
    return countsHere || proof.step > lastStep ? undefined : 'code_already_used';
  const known = await findBackupCode(tx, challenge.user_id, proof.mark);
  if (!known) return 'invalid_code';
  const taken = known.used_at !== null || (await countsElsewhere(tx, challenge, proof.mark, now));
  return taken ? 'code_already_used' : undefined;
}
