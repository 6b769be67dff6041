import { type Db, run } from '#kernel/db/db.ts';
import { LOG_COLUMNS, type LoggedEvent } from '#kernel/events/event-log.ts';

/** How many entries of a kind are shown; the lists have more. */
export const SHOWN_MAX = 100;

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
