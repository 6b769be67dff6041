import { type Clock, createClock } from '#kernel/clock.ts';
import { type Db, run } from '#kernel/db/db.ts';

const DAY_MS = 86_400_000;

/**
 * The clock of a service in a test, ahead of the machine's: it begins at ten past four in UTC, after the nightly
 * schedules, in the middle of a month. A test that passes at noon would otherwise fail if the day's conversions, or
 * the end of a month, came in between.
 */
export const morningClock = (): Clock => createClock(nextMorning(Date.now()) - Date.now());

function nextMorning(now: number): number {
  let day = Math.ceil(now / DAY_MS) * DAY_MS;
  while (new Date(day).getUTCDate() !== 15) day += DAY_MS;
  return day + (4 * 60 + 10) * 60_000;
}

/** Makes the database use the clock, too, and advances the clock to that of another service on it. */
export async function shareClock(db: Db, clock: Clock): Promise<void> {
  const text = `insert into service_state as s (name, value)
    values ('clock_offset_ms', to_jsonb($1::float8))
    on conflict (name) do update set value =
      to_jsonb(greatest((s.value #>> '{}')::float8, (excluded.value #>> '{}')::float8))
    returning (value #>> '{}')::float8 as ms`;
  const [row] = await run<{ ms: number }>(db, text, [clock.offsetMs]);
  clock.advance(Math.max((row?.ms ?? 0) - clock.offsetMs, 0));
}
