import { type Clock, createClock } from '#kernel/clock.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Liveness } from '#kernel/db/liveness.ts';

const OFFSET = 'clock_offset_ms';
const CHANNEL = 'clock';

/**
 * The clock as far ahead as the sandbox last moved it; a restart must not turn time back. Where there is
 * no sandbox it is the machine's, also in the database, whose `service_now()` adds what is kept here.
 */
export async function loadClock(db: Db, sandboxed: boolean): Promise<Clock> {
  if (sandboxed) return createClock(await storedOffset(db));
  await db.deleteFrom('service_state').where('name', '=', OFFSET).execute();
  return createClock();
}

/** Keeps how far the clock is ahead, and tells the other processes. */
export async function saveClock(db: Db, clock: Clock): Promise<void> {
  await run(
    db,
    `with kept as (
       insert into service_state (name, value) values ($1, to_jsonb($2::float8))
       on conflict (name) do update set value = excluded.value returning name)
     select pg_notify('${CHANNEL}', name) from kept`,
    [OFFSET, clock.offsetMs],
  );
}

/** Keeps the clock with that of the process that hosts the sandbox: several are one service. */
export async function followClock(
  db: Db,
  presence: Pick<Liveness, 'listen'>,
  clock: Clock,
): Promise<{ close(): Promise<void> }> {
  const catchUp = async () => {
    const behind = (await storedOffset(db)) - clock.offsetMs;
    if (behind > 0) clock.advance(behind);
  };
  // Missed while the database is away, it is read when the connection is there again.
  const hear = () => void catchUp().catch(() => undefined);
  return presence.listen({ channel: CHANNEL, hear, lost: hear });
}

async function storedOffset(db: Db): Promise<number> {
  const row = await db
    .selectFrom('service_state')
    .select('value')
    .where('name', '=', OFFSET)
    .executeTakeFirst();
  return typeof row?.value === 'number' ? row.value : 0;
}
