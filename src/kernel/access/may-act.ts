import { type Db, run } from '../db/db.ts';

/** Whether a user may begin an operation: the user is active, and the client is open. */
export async function mayAct(db: Db, user_id: number): Promise<boolean> {
  const rows = await run(
    db,
    `select from users u join clients c using (client_id)
      where u.user_id = $1 and u.user_status = 'ACTIVE' and client_is_open(c.client_status)`,
    [user_id],
  );
  return rows.length > 0;
}
