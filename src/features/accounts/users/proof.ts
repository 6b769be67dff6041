import { type Attempts, decide } from '#kernel/access/attempts.ts';
import { guessOf, type PasswordCounter, verifyPassword } from '#kernel/access/password-proof.ts';
import { type Requester, requesterMark, requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { takeOtp } from './otp-store.ts';

export type ProofDeps = Pick<Kernel, 'config' | 'clock' | 'vault' | 'passwords'> & {
  readonly attempts: Attempts;
  readonly guesses: PasswordCounter;
};

/** The proof that a caller is more than the holder of a token; the code where it is configured. */
export interface UserProof {
  readonly caller: UserCaller;
  readonly password: string;
  readonly otp_code: string | undefined;
  readonly request: RequestFacts;
}

export const otpContext = (user_id: number): string => `profile otp:${user_id}`;

/**
 * Runs `work` in the transaction that holds the proof, which stays valid until its end. Throws INVALID_PASSWORD,
 * INVALID_CODE and RATE_LIMITED.
 */
export async function withProof<T>(
  deps: ProofDeps,
  db: Db,
  { caller, password, otp_code, request }: UserProof,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const claimant = { user_id: caller.user_id, request };
  const holds = await verifyPassword(deps, db, claimant, password);
  return decide(db, async (tx): Promise<T | AppError> => {
    if (!(await holds(tx))) return fail('INVALID_PASSWORD', 'Current password is incorrect');
    if (
      await isCode(deps, tx, {
        user_id: caller.user_id,
        otp_code,
        by: requesterOf(caller, request),
      })
    )
      return work(tx);
    await deps.attempts.recordFailure(tx, guessOf(claimant));
    return fail('INVALID_CODE', 'OTP code is invalid or expired');
  });
}

interface SentCode {
  readonly user_id: number;
  readonly otp_code: string | undefined;
  readonly by: Requester;
}

/** True also where no code is required. */
async function isCode(
  { config, clock, vault }: ProofDeps,
  tx: Db,
  { user_id, otp_code, by }: SentCode,
): Promise<boolean> {
  if (config.PROFILE_OTP !== 'required') return true;
  const digest = vault.fingerprint(otp_code ?? '', otpContext(user_id));
  return takeOtp(tx, { user_id, asker: requesterMark(by), digest, at: clock.now() });
}
