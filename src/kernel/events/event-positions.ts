import { type Db, run } from '../db/db.ts';
import { LOG_COLUMNS, type LoggedEvent } from './event-log.ts';

/** A range of a client's events: after `place`, up to `upto`. */
export interface PositionRange {
  readonly place: number;
  readonly upto: number;
  readonly count: number;
}

/** A client's events from one moment on until before another. */
export async function positionsBetween(
  db: Db,
  client_id: number,
  from: string,
  to: string,
): Promise<PositionRange> {
  const [range] = await run<PositionRange>(
    db,
    `select coalesce(a.position, h.position + 1) - 1 as place,
       coalesce(b.position, h.position + 1) - 1 as upto,
       (coalesce(b.seq, c.seq + 1) - coalesce(a.seq, c.seq + 1))::integer as count
     from events.head h
       left join events.client_head c on c.client_id = $1
       left join lateral (${FIRST_SINCE('$2')}) a on true
       left join lateral (${FIRST_SINCE('$3')}) b on true`,
    [client_id, from, to],
  );
  if (!range) throw new Error('The log of events has no head');
  return { ...range, count: range.count ?? 0 };
}

/** The table of minutes says where the scan begins. */
const FIRST_SINCE = (moment: string): string => `
  select l.position, l.seq from events.log l
   where l.client_id = $1 and l.at >= ${moment}::timestamptz and l.position >= (
     select m.position from events.minutes m
      where m.minute >= date_trunc('minute', ${moment}::timestamptz) order by m.minute limit 1)
   order by l.position limit 1`;

/** A client's event by its UUID, which holds its position; of any client without `client_id`. */
export async function eventById(
  db: Db,
  event_id: string,
  client_id: number | undefined,
): Promise<LoggedEvent | undefined> {
  const [event] = await run<LoggedEvent>(
    db,
    `select ${LOG_COLUMNS} from events.log
      where position = events.position_of_id($1) and event_id = $1 and ($2::integer is null or client_id = $2)`,
    [event_id, client_id ?? null],
  );
  return event;
}
