import { SHOWN_MAX } from '#features/messaging/payments/payments.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { LOG_COLUMNS, type LoggedEvent } from '#kernel/events/event-log.ts';

/** A user that a search term names. */
export type NamedUser = Pick<
  Row<'users'>,
  'user_id' | 'client_id' | 'username' | 'email' | 'role' | 'user_status'
> & { readonly is_stopped: boolean };

const MOST_PEOPLE = 20;

/** Users of all clients with that e-mail address, user name, phone or id. */
export const usersNamed = (db: Db, name: string): Promise<NamedUser[]> =>
  run<NamedUser>(
    db,
    `select user_id, client_id, username, email, role, user_status,
            user_status = 'INACTIVE' as is_stopped
       from users
      where user_id = any (array(
        (select user_id from users where lower(email) = lower($1) limit $3)
        union all (select user_id from users where lower(username) = lower($1) limit $3)
        union all (select user_id from users where phone = $4 limit $3)
        union all select $2::integer))
      order by user_id limit $3`,
    [name, numberIn(name), MOST_PEOPLE, phoneIn(name)],
  );

/** As it is stored: people write spaces, hyphens and brackets into it. */
const phoneIn = (name: string): string | null =>
  /^\+?[\d ().-]{6,24}$/.test(name) ? name.replaceAll(/[ ().-]/g, '') : null;

const numberIn = (name: string): number | null =>
  /^[1-9]\d{0,8}$/.test(name) ? Number(name) : null;

/** A client that a search term names. */
export type NamedClient = Pick<
  Row<'clients'>,
  'client_id' | 'client_code' | 'client_alias' | 'email' | 'client_status'
> & { readonly is_stopped: boolean };

/** Clients with that e-mail address, code, name or phone, and those with these ids. */
export const clientsNamed = (
  db: Db,
  name: string,
  ids: readonly number[],
): Promise<NamedClient[]> =>
  run<NamedClient>(
    db,
    `select client_id, client_code, client_alias, email, client_status,
            not client_is_open(client_status) as is_stopped
       from clients
      where client_id = any (array(
        (select client_id from clients where lower(email) = lower($1))
        union all (select client_id from clients where client_code = upper($1))
        union all (select client_id from clients where lower(client_alias) = lower($1) limit $3)
        union all (select client_id from clients where phone = $4 limit $3)
        union all select unnest($2::integer[])))
      order by client_id limit $3`,
    [name, [...ids, numberIn(name)], MOST_PEOPLE, phoneIn(name)],
  );

/** The latest events about a user, in their order. */
export const eventsOfPerson = (db: Db, user_id: number): Promise<LoggedEvent[]> =>
  run<LoggedEvent>(
    db,
    `select * from (
       select ${LOG_COLUMNS} from events.log where user_id = $1 order by position desc limit $2) latest
     order by position`,
    [user_id, SHOWN_MAX],
  );

/** An event of any client. */
export async function findAnyEvent(db: Db, event_id: string): Promise<LoggedEvent | undefined> {
  const [event] = await run<LoggedEvent>(
    db,
    `select ${LOG_COLUMNS} from events.log where position = events.position_of_id($1) and event_id = $1`,
    [event_id],
  );
  return event;
}
