import type { Messages } from '#features/messages/messages.ts';
import type { PasswordGuesses } from '#features/password-guesses/password-guesses.ts';
import type { Asker } from '#kernel/access/asker.ts';
import { type Attempts, accountOf, decide } from '#kernel/access/attempts.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/http/error.ts';
import type { RequestFacts } from '#kernel/http/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { type AuditAction, writeAudit } from './audit.ts';
import { lockUser } from './store.ts';

export type TwoFactorDeps = Pick<Kernel, 'clock' | 'vault' | 'passwords'> & {
  readonly attempts: Attempts;
  readonly guesses: PasswordGuesses;
  readonly messages: Messages;
};

/** A user at work on the own second factor. */
export interface Acting extends TwoFactorDeps {
  readonly db: Db;
  readonly user_id: number;
  readonly request: RequestFacts;
  readonly by: Asker;
}

export const guessOf = ({ user_id, request }: Acting) => ({
  accounts: [accountOf(user_id)],
  ip: request.ip,
});

export const audit = (tx: Db, { user_id, request }: Acting, action: AuditAction) =>
  writeAudit(tx, { user_id, request, action });

/** What is told to the caller once it is written down why. */
export async function refuse(
  tx: Db,
  { user_id, request }: Acting,
  [action, failure_reason]: readonly [AuditAction, string],
  told: AppError,
): Promise<AppError> {
  await writeAudit(tx, { user_id, request, action, failure_reason });
  return told;
}

/** The same for a wrong code, which counts as a guess. */
export async function refuseCode(tx: Db, acting: Acting): Promise<AppError> {
  await acting.attempts.fail(tx, guessOf(acting));
  const told = fail('INVALID_CODE', 'Invalid verification code');
  return refuse(tx, acting, ['failed_verification', 'invalid_code'], told);
}

/** Does `work` if that is the password, which is checked before the transaction: it takes long. */
export async function withPassword<T>(
  acting: Acting,
  action: AuditAction,
  password: string,
  work: (tx: Db) => Promise<T | AppError>,
): Promise<T> {
  const { db, user_id, guesses, passwords, request } = acting;
  const guessed = await guesses.at(db, [user_id], request.ip);
  await guesses.admit(db, guessed);
  const { password_hash } = await db
    .selectFrom('users')
    .where('user_id', '=', user_id)
    .select('password_hash')
    .executeTakeFirstOrThrow();
  const right = await passwords.verify(password_hash, password, request.ip);
  return decide(db, async (tx) => {
    await guesses.admit(tx, guessed);
    const user = await lockUser(tx, user_id);
    if (right && user.password_hash === password_hash) return work(tx);
    await guesses.fail(tx, guessed);
    const told = fail('INVALID_PASSWORD', 'Invalid password');
    return refuse(tx, acting, [action, 'invalid_password'], told);
  });
}
