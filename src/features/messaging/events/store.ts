import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { LOG_COLUMNS, type LoggedEvent, SCAN_MAX } from '#kernel/events/event-log.ts';
import type { KeyCaller, UserCaller } from '#kernel/http/declare/route.ts';

/** The events that a reader may read: all, one client's, or those about the reader. */
export interface Reader {
  readonly client_id?: number;
  readonly user_id?: number;
}

/** The owner of a key, while active. */
export const ownerOfKey = (db: Db, user_id: number) =>
  db
    .selectFrom('users')
    .select(['user_id', 'client_id', 'role'])
    .where('user_id', '=', user_id)
    .where('user_status', '=', 'ACTIVE')
    .executeTakeFirst();

/** Whether a reader's key and log-in are still valid. */
export async function isStillIn(
  db: Db,
  caller: KeyCaller | UserCaller,
  now: string,
): Promise<boolean> {
  const { key } = caller;
  const isAlone = !('session_id' in caller);
  if (key && (await run(db, KEY_STANDS, [key.key_id, now, isAlone])).length === 0) return false;
  if (isAlone) return true;
  return (await run(db, SESSION_STANDS, [caller.session_id, now, caller.role])).length > 0;
}

/** Alone, a key reads in its owner's name, who has to be active; beside a log-in the owner does not matter. */
const KEY_STANDS = `
  select from api_keys k left join users u using (user_id)
    left join clients c on c.client_id = k.client_id
   where k.key_id = $1 and (k.expires_at is null or k.expires_at > $2)
     and coalesce(client_is_open(c.client_status), true) and (not $3 or u.user_status = 'ACTIVE')`;

const SESSION_STANDS = `
  select from sessions s join users u using (user_id) join clients c using (client_id)
   where s.session_id = $1 and s.revoked_at is null and s.expires_at > $2 and u.role = $3
     and u.user_status = 'ACTIVE' and client_is_open(c.client_status)`;

export interface EventSearch {
  /** Between these positions, both excluded. */
  readonly above: number;
  readonly below: number;
  readonly isAscending: boolean;
  readonly limit: number;
  readonly types: readonly string[] | undefined;
  readonly object: { readonly type: string; readonly id: string } | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface FoundEvents {
  readonly events: readonly LoggedEvent[];
  /** Where the search stopped early; undefined at the end of the log. */
  readonly ended: { readonly position: number; readonly seq: number } | undefined;
}

/** A page of events for a reader; for rare types it searches so many events, and the next page the rest. */
export async function searchLog(db: Db, reader: Reader, search: EventSearch): Promise<FoundEvents> {
  const { above, below, isAscending, limit, types, object, from, to } = search;
  const values: unknown[] = [above, below, limit];
  const given = (value: unknown): string => `$${values.push(value)}`;
  const scope = [
    ...(reader.client_id === undefined ? [] : [`client_id = ${given(reader.client_id)}`]),
    ...(reader.user_id === undefined ? [] : [`user_id = ${given(reader.user_id)}`]),
    ...(object === undefined ? [] : ofObject(given(object.type), given(object.id))),
  ];
  const wanted = [
    'true',
    ...(types === undefined ? [] : [`type = any(${given(types)})`]),
    ...(from === undefined ? [] : [`at >= ${given(from)}`]),
    ...(to === undefined ? [] : [`at < ${given(to)}`]),
  ];
  const order = isAscending ? 'asc' : 'desc';
  const rows = await run<LoggedEvent & { looked: number; last: number; last_seq: number }>(
    db,
    `with looked as materialized (
        select position, seq, type, at from events.log
         where ${['position > $1', 'position < $2', ...scope].join(' and ')}
         order by position ${order} limit ${SCAN_MAX}),
      wanted as (
        select position from looked where ${wanted.join(' and ')} order by position ${order} limit $3),
      ends as (
        select count(*)::integer as looked, ${isAscending ? 'max' : 'min'}(position) as last,
          ${isAscending ? 'max' : 'min'}(seq) as last_seq from looked)
     select ends.*, found.* from ends
       left join lateral (select ${LOG_COLUMNS} from events.log
          where position = any (array(select position from wanted))) found on true
      order by found.position ${order}`,
    values,
  );
  const [first] = rows;
  const isCut = first !== undefined && first.looked === SCAN_MAX;
  return {
    events: rows.filter(({ position }) => position !== null),
    ended: isCut ? { position: first.last, seq: first.last_seq } : undefined,
  };
}

/** By the indexed key, which another object may share. */
const ofObject = (type: string, id: string): string[] => [
  `events.object_key(object_type, object_id) = events.object_key(${type}, ${id})`,
  `object_type = ${type}`,
  `object_id = ${id}`,
];

export const findEvent = async (
  db: Db,
  { client_id, user_id }: Reader,
  event_id: string,
): Promise<LoggedEvent | undefined> => {
  const [event] = await run<LoggedEvent>(
    db,
    `select ${LOG_COLUMNS} from events.log
      where position = events.position_of_id($1) and event_id = $1
        and ($2::integer is null or client_id = $2) and ($3::integer is null or user_id = $3)`,
    [event_id, client_id ?? null, user_id ?? null],
  );
  return event;
};

export interface Bounds {
  /** The latest number, and the oldest one in the log; null without one. */
  readonly last: number;
  readonly first: number | null;
}

/** One client's bounds by its own numbers, those of all by position. */
export async function boundsOf(db: Db, client_id: number | undefined): Promise<Bounds> {
  const text =
    client_id === undefined
      ? `select position as last, case when oldest <= position then oldest end as first from events.head`
      : `select coalesce((select seq from events.client_head where client_id = $1), 0) as last,
           (select seq from events.log where client_id = $1 order by position limit 1) as first`;
  const [row] = await run<Bounds>(db, text, client_id === undefined ? [] : [client_id]);
  if (!row) throw new Error('The log of events has no head');
  return row;
}

/** The position of a client's event by its number, or of the last one before it. */
export async function eventPositionOf(db: Db, client_id: number, seq: number): Promise<number> {
  const [row] = await run<Row<'events.log', 'position'>>(
    db,
    'select events.position_of($1, $2) as position',
    [client_id, seq],
  );
  return row?.position ?? 0;
}

/** The positions between which the events of that time are. */
export async function positionsOf(
  db: Db,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): Promise<{ readonly above: number; readonly below: number | null }> {
  const [row] = await run<{ above: number; below: number | null }>(
    db,
    `select
       coalesce((select position - 1 from events.minutes where minute <= $1
                  order by minute desc limit 1), 0) as above,
       case when $2::timestamptz is not null then
         (select position from events.minutes where minute > coalesce(
            (select max(minute) from events.minutes where oldest < $2), '-infinity')
           order by minute limit 1) end as below`,
    [from ?? null, to ?? null],
  );
  return row ?? { above: 0, below: null };
}
