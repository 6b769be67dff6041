import { decide } from '#kernel/access/attempts.ts';
import { verifyPassword } from '#kernel/access/password-proof.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail, wrongField } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { ProfileFeatureDeps } from './deps.ts';
import { lockProfile, type OwnProfile } from './store.ts';

interface Proof {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly current_password: string;
  /** Left out where the operation takes none; where it takes one, users with a second factor have to send it. */
  readonly two_fa_token?: string | undefined;
}

/**
 * Runs `work` in the transaction that holds the proof, with the user's row locked. Throws INVALID_PASSWORD,
 * INVALID_CODE, VALIDATION_ERROR and RATE_LIMITED.
 */
export async function withOwnProof<T>(
  deps: ProfileFeatureDeps,
  db: Db,
  proof: Proof,
  work: (tx: Db, profile: OwnProfile) => Promise<T | AppError>,
): Promise<T> {
  const { caller, request } = proof;
  const claimant = { user_id: caller.user_id, request };
  const holds = await verifyPassword(deps, db, claimant, proof.current_password);
  return decide(db, async (tx): Promise<T | AppError> => {
    if (!(await holds(tx))) return fail('INVALID_PASSWORD', 'Current password is incorrect');
    const profile = await lockProfile(tx, caller.user_id);
    if ('two_fa_token' in proof && profile.twofa_enabled) {
      if (proof.two_fa_token === undefined)
        throw wrongField('two_fa_token', 'is required of users with a second factor');
      if (!(await deps.takeCode(tx, claimant, proof.two_fa_token)))
        return fail('INVALID_CODE', 'Invalid verification code');
    }
    return work(tx, profile);
  });
}
