import type { SecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import { type Attempts, decide } from '#kernel/access/attempts.ts';
import type { FreshProof, SentProof, VerifiedProof } from '#kernel/access/fresh-proof.ts';
import { guessOf, type PasswordCounter, verifyPassword } from '#kernel/access/password-proof.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { type AuditAction, writeAudit } from './audit-store.ts';

export type TwoFactorDeps = Pick<Kernel, 'clock' | 'vault' | 'passwords'> & {
  readonly attempts: Attempts;
  readonly guesses: PasswordCounter;
  readonly notices: SecurityNotices;
  readonly freshProof: FreshProof;
};

/** A user who changes their own second factor. */
export interface TwoFactorCall extends TwoFactorDeps {
  readonly db: Db;
  readonly user_id: number;
  readonly session_id: string;
  readonly request: RequestFacts;
}

/** Whether the user proves more than a token; checked in the transaction. */
export const verifyProof = (acting: TwoFactorCall, sent: SentProof): Promise<VerifiedProof> =>
  acting.freshProof.verify(acting.db, { caller: acting, request: acting.request }, sent);

export const audit = (tx: Db, { user_id, request }: TwoFactorCall, action: AuditAction) =>
  writeAudit(tx, { user_id, request, action });

/** The refusal for the caller, thrown once its reason is stored. */
export async function refuse(
  tx: Db,
  { user_id, request }: TwoFactorCall,
  [action, failure_reason]: readonly [AuditAction, string],
  refusal: AppError,
): Promise<AppError> {
  await writeAudit(tx, { user_id, request, action, failure_reason });
  return refusal;
}

/** The same for a wrong code, which counts as a guess. */
export async function refuseCode(tx: Db, acting: TwoFactorCall): Promise<AppError> {
  await acting.attempts.recordFailure(tx, guessOf(acting));
  const refusal = fail('INVALID_CODE', 'Invalid verification code');
  return refuse(tx, acting, ['failed_verification', 'invalid_code'], refusal);
}

/** Runs `work` if the password is right, which is checked before the transaction: it takes long. */
export async function withPassword<T>(
  acting: TwoFactorCall,
  action: AuditAction,
  password: string,
  work: (tx: Db) => Promise<T | AppError>,
): Promise<T> {
  const holds = await verifyPassword(acting, acting.db, acting, password);
  return decide(acting.db, async (tx) => {
    if (await holds(tx)) return work(tx);
    const refusal = fail('INVALID_PASSWORD', 'Invalid password');
    return refuse(tx, acting, [action, 'invalid_password'], refusal);
  });
}
