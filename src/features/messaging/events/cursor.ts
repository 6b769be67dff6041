import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { boundsOf, eventPositionOf, type Reader } from './store.ts';

/**
 * The position after which a caller reads on: clients name it by their own number, the operator by the position.
 * Throws EVENTS_EXPIRED where the log no longer has the next event, and VALIDATION_ERROR where there is no such event
 * yet.
 */
export async function placeAfter(db: Db, { client_id }: Reader, after: number): Promise<number> {
  const { last, first } = await boundsOf(db, client_id);
  if (after > last)
    throw fail('VALIDATION_ERROR', `There is no event ${after} yet; the last one is ${last}`);
  const next = first ?? last + 1;
  if (after < next - 1)
    throw fail('EVENTS_EXPIRED', `Events up to ${next - 1} are no longer kept`, {
      extra: { oldest: next, after: next - 1 },
    });
  return client_id === undefined ? after : eventPositionOf(db, client_id, after);
}

/** The position before which a page ends. */
export async function placeBefore(db: Db, { client_id }: Reader, before: number): Promise<number> {
  return client_id === undefined ? before : (await eventPositionOf(db, client_id, before - 1)) + 1;
}
