import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

type StatementPeople = Row<'users', 'username' | 'client_id'> &
  Row<'clients', 'client_alias' | 'time_zone'>;

/** Whose wallet it is: its owner, and their client. */
export async function peopleOf(db: Db, user_id: number): Promise<StatementPeople> {
  const [people] = await run<StatementPeople>(
    db,
    `select u.username, c.client_id, c.client_alias, c.time_zone
     from users u join clients c using (client_id) where u.user_id = $1`,
    [user_id],
  );
  if (!people) throw new Error(`User ${user_id} vanished`);
  return people;
}
