import { type Clock, createClock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';

/** The clock as far ahead as the sandbox last moved it; a restart must not turn time back. */
export async function loadClock(db: Db, sandboxed: boolean): Promise<Clock> {
  if (!sandboxed) return createClock();
  const row = await db
    .selectFrom('service_state')
    .select('value')
    .where('name', '=', 'clock_offset_ms')
    .executeTakeFirst();
  return createClock(typeof row?.value === 'number' ? row.value : 0);
}

export async function saveClock(db: Db, clock: Clock): Promise<void> {
  const value = JSON.stringify(clock.offsetMs);
  await db
    .insertInto('service_state')
    .values({ name: 'clock_offset_ms', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
