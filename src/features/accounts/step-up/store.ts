import { type Db, run } from '#kernel/db/db.ts';

/** Whether a user has a second factor. */
export async function hasSecondFactor(db: Db, user_id: number): Promise<boolean> {
  const text = 'select from users where user_id = $1 and twofa_enabled';
  return (await run(db, text, [user_id])).length > 0;
}
