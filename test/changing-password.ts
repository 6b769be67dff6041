import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Harness } from './harness.ts';

/**
 * What comes of `act` when the user's password is changed after it was found right: the change commits
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
    const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect
      .poll(async () => (await waiting.execute(h.db)).rows.length, { timeout: 20_000 })
      .toBe(1);
    return { answer: acting };
  });
  return answer;
}
