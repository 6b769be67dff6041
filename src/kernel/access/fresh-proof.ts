import { Type } from 'typebox';
import type { Config } from '#src/config.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/db.ts';
import { type AppError, fail } from '../http/error.ts';
import type { RequestFacts, UserCaller } from '../http/route.ts';
import { explained, text } from '../http/schema.ts';
import { type Claimant, type PasswordProofDeps, showPassword } from './password-proof.ts';

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
export type Shown = (tx: Db) => Promise<AppError | undefined>;

/** Keeps whoever has got hold of a session from making it theirs for good (decisions: Accounts). */
export interface FreshProof {
  /**
   * Looks at the proof; what becomes of it is asked in the transaction: INVALID_PASSWORD,
   * INVALID_CODE, and FRESH_LOGIN_REQUIRED where none was sent and the log-in is older than five
   * minutes. In mock mode none is needed. Throws RATE_LIMITED.
   */
  show(db: Db, by: ProvingCaller, sent: SentProof): Promise<Shown>;
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

const FRESH_MS = 5 * 60_000;

export function createFreshProof(deps: FreshProofDeps): FreshProof {
  const { config, clock, takeCode } = deps;
  return {
    async show(db, { caller, request }, { current_password, two_fa_token }) {
      const claimant = { user_id: caller.user_id, request };
      if (current_password !== undefined) {
        const held = await showPassword(deps, db, claimant, current_password);
        return refusedUnless(held, 'INVALID_PASSWORD', 'Current password is incorrect');
      }
      if (two_fa_token !== undefined)
        return refusedUnless(
          (tx) => takeCode(tx, claimant, two_fa_token),
          'INVALID_CODE',
          'Invalid verification code',
        );
      return refusedUnless(
        async (tx) => config.MOCK_MODE || (await isFresh(tx, caller.session_id, clock.now())),
        'FRESH_LOGIN_REQUIRED',
        'Log in again, or send current_password or two_fa_token, to do this',
      );
    },
  };
}

const refusedUnless =
  (holds: (tx: Db) => Promise<boolean>, code: AppError['code'], message: string): Shown =>
  async (tx) =>
    (await holds(tx)) ? undefined : fail(code, message);

async function isFresh(tx: Db, session_id: string, now: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('sessions')
    .select('session_id')
    .where('session_id', '=', session_id)
    .where('created_at', '>=', new Date(now.getTime() - FRESH_MS).toISOString())
    .executeTakeFirst();
  return row !== undefined;
}
