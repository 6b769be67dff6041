import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { LOG_COLUMNS, type LoggedEvent } from '#kernel/events/event-log.ts';

/** A user that a search term names. */
export type NamedUser = Pick<
  Row<'users'>,
  'user_id' | 'client_id' | 'username' | 'email' | 'role' | 'user_status'
> & { readonly is_stopped: boolean };

/** How many entries of a kind are shown; the lists have more. */
export const SHOWN_MAX = 100;
const MOST_PEOPLE = 20;

/** Users of all clients with that e-mail address, user name or id. */
export const usersNamed = (db: Db, name: string): Promise<NamedUser[]> =>
  run<NamedUser>(
    db,
    `select user_id, client_id, username, email, role, user_status,
            user_status = 'INACTIVE' as is_stopped
       from users
      where user_id = any (array(
        (select user_id from users where lower(email) = lower($1) limit $3)
        union all (select user_id from users where lower(username) = lower($1) limit $3)
        union all select $2::integer))
      order by user_id limit $3`,
    [name, numberIn(name), MOST_PEOPLE],
  );

const numberIn = (name: string): number | null =>
  /^[1-9]\d{0,8}$/.test(name) ? Number(name) : null;

/** A client that a search term names. */
export type NamedClient = Pick<
  Row<'clients'>,
  'client_id' | 'client_code' | 'client_alias' | 'email' | 'client_status'
> & { readonly is_stopped: boolean };

/** Clients with that e-mail address or code, and those with these ids. */
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
        union all select unnest($2::integer[])))
      order by client_id limit $3`,
    [name, [...ids, numberIn(name)], MOST_PEOPLE],
  );

/** The latest events of the objects with these ids, of whichever types, in their order. */
export async function eventsOfObjects(
  db: Db,
  types: readonly string[],
  ids: readonly string[],
): Promise<LoggedEvent[]> {
  const objects = ids.flatMap((id) => types.map((type) => ({ type, id })));
  const found = await run<LoggedEvent>(
    db,
    `with latest as materialized (
       select l.position from unnest($1::text[], $2::text[]) o (type, id) cross join lateral (
         select position from events.log e
          where events.object_key(e.object_type, e.object_id) = events.object_key(o.type, o.id)
          order by position desc limit $3) l
       order by l.position desc limit $3)
     select e.* from latest cross join lateral (
       select ${LOG_COLUMNS} from events.log where position = latest.position) e`,
    [objects.map(({ type }) => type), objects.map(({ id }) => id), SHOWN_MAX],
  );
  // Another object may have the same key.
  return found
    .filter((event) => ids.includes(event.object_id))
    .sort((a, b) => a.position - b.position);
}

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
