import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Config } from '#kernel/config/config.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/db.ts';
import { type AppError, fail } from '../error.ts';
import type { RequestFacts, UserCaller } from '../http/declare/route.ts';
import { explained, text } from '../http/declare/schema.ts';
import { PROOF_LIVES_MS } from './operator-guard.ts';
import { type Claimant, type PasswordProofDeps, verifyPassword } from './password-proof.ts';

/** What a body may hold to show that its sender is more than the holder of a token. */
export const PROOF = {
  current_password: Type.Optional(
    explained(
      text(1024),
      'The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes',
    ),
  ),
  two_fa_token: Type.Optional(
    explained(text(32), 'A code of the caller’s second factor, in place of the password'),
  ),
};

export interface SentProof {
  readonly current_password?: string | undefined;
  readonly two_fa_token?: string | undefined;
}

/** Asked in the transaction that it is needed in, which must commit: what refuses was counted there. */
export type VerifiedProof = (tx: Db) => Promise<AppError | undefined>;

/** Keeps a stolen session from becoming access for good (decisions: Accounts). */
export interface FreshProof {
  /**
   * Checks the proof; the result is asked for in the transaction: INVALID_PASSWORD,
   * INVALID_CODE, and FRESH_LOGIN_REQUIRED where none was sent and the log-in is older than five
   * minutes. In mock mode none is needed. Throws RATE_LIMITED.
   */
  verify(db: Db, by: ProvingCaller, sent: SentProof): Promise<VerifiedProof>;
}

export interface ProvingCaller {
  readonly caller: Pick<UserCaller, 'user_id' | 'session_id'>;
  readonly request: RequestFacts;
}

export type FreshProofDeps = PasswordProofDeps & {
  readonly config: Pick<Config, 'MOCK_MODE'>;
  readonly clock: Clock;
  /** Whether it is a code of the user's second factor that was not used before, and is now. */
  takeCode(tx: Db, claimant: Claimant, code: string): Promise<boolean>;
};

export function createFreshProof(deps: FreshProofDeps): FreshProof {
  const { config, clock } = deps;
  return {
    async verify(db, { caller, request }, sent) {
      const claimant = { user_id: caller.user_id, request };
      const proof = await proofOf(deps, db, claimant, sent);
      return async (tx) => {
        const refusal = await proof?.(tx);
        if (refusal) return refusal;
        const proved = await provedAt(tx, caller);
        if (proved === undefined) return fail('TOKEN_INVALID', 'Invalid token');
        const age = clock.now().getTime() - new Date(proved).getTime();
        if (proof || config.MOCK_MODE || age <= PROOF_LIVES_MS) return undefined;
        return fail('FRESH_LOGIN_REQUIRED', FRESH_LOGIN);
      };
    },
  };
}

const FRESH_LOGIN = 'Log in again, or send current_password or two_fa_token, to do this';

/** What was sent, if anything was; the password is looked at already. */
async function proofOf(
  deps: FreshProofDeps,
  db: Db,
  claimant: Claimant,
  { current_password, two_fa_token }: SentProof,
): Promise<VerifiedProof | undefined> {
  if (current_password !== undefined) {
    const holds = await verifyPassword(deps, db, claimant, current_password);
    return async (tx) =>
      (await holds(tx)) ? undefined : fail('INVALID_PASSWORD', 'Current password is incorrect');
  }
  if (two_fa_token !== undefined)
    return async (tx) =>
      (await deps.takeCode(tx, claimant, two_fa_token))
        ? undefined
        : fail('INVALID_CODE', 'Invalid verification code');
  return undefined;
}

/**
 * When the session was opened or last proven, unless it has ended. With the user's row locked, which the end of all
 * sessions locks too: what a session was at while a reset ended it must not come after that.
 */
async function provedAt(
  tx: Db,
  { user_id, session_id }: ProvingCaller['caller'],
): Promise<string | undefined> {
  await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', user_id)
    .forNoKeyUpdate()
    .execute();
  const row = await tx
    .selectFrom('sessions')
    .select(sql<string>`greatest(created_at, proved_at)`.as('proved'))
    .where('session_id', '=', session_id)
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row?.proved;
}
