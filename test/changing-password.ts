import type { Harness } from './harness.ts';
import { untilLockAwaited } from './waiting.ts';

/**
 * The result of `act` when the user's password changes after the password check: the change commits
 * once the act waits for the user's row.
 */
export async function whilePasswordChanges<T>(
  h: Harness,
  user_id: number,
  act: () => Promise<T>,
): Promise<T> {
  const password_hash = await h.kernel.passwords.hash('another password');
  const { answer } = await h.db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ password_hash }).where('user_id', '=', user_id).execute();
    const acting = act();
    await untilLockAwaited(h);
    return { answer: acting };
  });
  return answer;
}
