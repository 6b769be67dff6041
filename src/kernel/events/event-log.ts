import { type Db, run } from '../db/db.ts';
import type { Row } from '../db/row.ts';

/** An event with its position. `data` is JSON, the same bytes for every reader. */
export type LoggedEvent = Omit<Row<'events.log'>, 'data'> & { readonly data: string };

export interface EventRange {
  /** The events that match the filter, in the order in which they happened. */
  readonly events: readonly LoggedEvent[];
  /** Up to here the log was scanned: no other event before it matches. */
  readonly upto: number;
}

export interface EventFilter {
  /** The position of the last event that the reader has. */
  readonly after: number;
  readonly limit: number;
  /** One client's; without it, all clients'. */
  readonly client_id?: number | undefined;
  /** Those about one person. */
  readonly user_id?: number | undefined;
  /** Names of types; without them, all. */
  readonly types?: readonly string[] | undefined;
}

/** How many rows a read scans for the wanted types: a read of rare types has an end, too. */
export const SCAN_MAX = 5000;

export const LOG_COLUMNS = `position, event_id, client_id, seq, user_id, type, schema_version, object_type,
  object_id, data::text as data, at, request_id, idempotency_key, actor, operation`;

/** The next events of the log, for readers that go on from `upto`. */
export async function readLog(db: Db, reading: EventFilter): Promise<EventRange> {
  const { after, limit, client_id, user_id, types } = reading;
  const looked = Math.max(limit, types === undefined ? 0 : SCAN_MAX);
  const rows = await run<Omit<LoggedEvent, 'position'> & Found>(db, statement(reading), [
    ...[after, limit, looked],
    ...[client_id, user_id, types].filter((value) => value !== undefined),
  ]);
  const [first] = rows;
  if (first === undefined) throw new Error('The log of events has no head');
  const events = rows.filter(isEvent);
  return { events, upto: uptoOf(first, events, { limit, looked, after }) };
}

/** One text for each kind of reading, since a plan for all of them would use no index. */
function statement({ client_id, user_id, types }: EventFilter): string {
  let next = 4;
  const clause = (given: unknown, text: (place: string) => string): string => {
    if (given === undefined) return '';
    next += 1;
    return text(`$${next - 1}`);
  };
  const ofClient = clause(client_id, (place) => `and client_id = ${place}`);
  const ofUser = clause(user_id, (place) => `and user_id = ${place}`);
  const ofTypes = clause(types, (place) => `where type = any(${place})`);
  return `
    with head as materialized (select position from events.head),
      looked as materialized (
        select position, type from events.log
         where position > $1 and position <= (select position from head) ${ofClient} ${ofUser}
         order by position limit $3),
      wanted as (select position from looked ${ofTypes} order by position limit $2)
    select head.position as head, ends.looked, ends.last, found.*
      from head
      cross join (select count(*)::integer as looked, max(position) as last from looked) ends
      left join lateral (
        select ${LOG_COLUMNS} from events.log where position = any (array(select position from wanted))
        ) found on true
     order by found.position`;
}

interface Found {
  readonly head: number;
  readonly looked: number;
  readonly last: number | null;
  readonly position: number | null;
}

const isEvent = <R extends { position: number | null }>(row: R): row is R & LoggedEvent =>
  row.position !== null;

function uptoOf(
  { head, looked, last }: Found,
  events: readonly LoggedEvent[],
  asked: { readonly limit: number; readonly looked: number; readonly after: number },
): number {
  const end = events.at(-1);
  if (end && events.length === asked.limit) return end.position;
  if (looked === asked.looked && last !== null) return last;
  return Math.max(head, asked.after);
}

/** The last position in use, and the first that is still kept. */
export async function logBounds(db: Db): Promise<{ head: number; oldest: number }> {
  const [row] = await run<{ head: number; oldest: number }>(
    db,
    'select position as head, oldest from events.head',
    [],
  );
  if (!row) throw new Error('The log of events has no head');
  return row;
}

/** Drops whole partitions of older events; answers how many. Readers wait for 2 s at the most. */
export async function forgetEvents(tx: Db, before: Date): Promise<number> {
  await run(tx, `set local lock_timeout = '2s'`, []);
  const [row] = await run<{ dropped: number }>(tx, 'select events.forget($1) as dropped', [
    before.toISOString(),
  ]);
  return row?.dropped ?? 0;
}

/** How long the oldest event has waited in the outbox, in seconds. */
export async function outboxLag(db: Db): Promise<number> {
  const [row] = await run<{ lag: number }>(
    db,
    `select coalesce(extract(epoch from service_now() - at), 0)::float8 as lag
       from events.outbox order by outbox_id limit 1`,
    [],
  );
  return Math.max(0, row?.lag ?? 0);
}
