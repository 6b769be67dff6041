import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

/** The address of a user. */
export async function adminEmail(db: Db, user_id: number): Promise<string | undefined> {
  const text = 'select email from users where user_id = $1';
  return (await run<Row<'users', 'email'>>(db, text, [user_id]))[0]?.email;
}
