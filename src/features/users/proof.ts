import type { PasswordGuesses } from '#features/password-guesses/password-guesses.ts';
import { askerMark, askerOf } from '#kernel/access/asker.ts';
import { decide } from '#kernel/access/attempts.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/http/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { lockPasswordHash, passwordHashOf, takeOtp } from './store.ts';

export type ProofDeps = Pick<Kernel, 'config' | 'clock' | 'vault' | 'passwords'> & {
  readonly guesses: PasswordGuesses;
};

/** What shows that a caller is more than the holder of a token; the code where it is configured. */
export interface Proof {
  readonly caller: UserCaller;
  readonly password: string;
  readonly otp_code: string | undefined;
  readonly request: RequestFacts;
}

export const otpContext = (user_id: number): string => `profile otp:${user_id}`;

/**
 * Does `work` in the transaction that holds the proof: what was proven stays so until its end. Throws
 * INVALID_PASSWORD, INVALID_CODE and RATE_LIMITED.
 */
export async function withProof<T>(
  deps: ProofDeps,
  db: Db,
  proof: Proof,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const { user_id } = proof.caller;
  const guessed = await deps.guesses.at(db, [user_id], proof.request.ip);
  await deps.guesses.admit(db, guessed);
  // Outside the transaction: a password takes long to check, and connections are few.
  const hash = await passwordHashOf(db, user_id);
  const right = await deps.passwords.verify(hash, proof.password, proof.request.ip);
  return decide(db, async (tx): Promise<T | AppError> => {
    await deps.guesses.admit(tx, guessed);
    const refusal = await refusalOf(deps, tx, proof, right ? hash : undefined);
    if (!refusal) return work(tx);
    await deps.guesses.fail(tx, guessed);
    return refusal;
  });
}

/** `hash` is that of the password, where it was right. */
async function refusalOf(
  { config, clock, vault }: ProofDeps,
  tx: Db,
  { caller, otp_code, request }: Proof,
  hash: string | null | undefined,
): Promise<AppError | undefined> {
  const { user_id } = caller;
  // The password may have been changed while it was being checked.
  if (typeof hash !== 'string' || (await lockPasswordHash(tx, user_id)) !== hash)
    return fail('INVALID_PASSWORD', 'Current password is incorrect');
  if (config.PROFILE_OTP !== 'required') return undefined;
  const digest = vault.fingerprint(otp_code ?? '', otpContext(user_id));
  const asker = askerMark(askerOf(caller, request));
  if (await takeOtp(tx, { user_id, asker, digest, at: clock.now() })) return undefined;
  return fail('INVALID_CODE', 'OTP code is invalid or expired');
}
