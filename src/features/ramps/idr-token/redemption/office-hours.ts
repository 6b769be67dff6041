/** Jakarta has kept UTC+7 without daylight saving since 1964. */
const JAKARTA_MS = 7 * 3_600_000;
const OPENS_H = 8;
const CLOSES_H = 15;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Whether banks make large transfers at that moment: Monday to Friday, 08:00 to 15:00 in Jakarta. */
export const isOfficeOpen = (at: Date): boolean => untilOffice(at) === 0;

/** Milliseconds until then, and 0 within. The gateway knows public holidays. */
export function untilOffice(at: Date): number {
  const local = at.getTime() + JAKARTA_MS;
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  for (let day = 0; ; day += 1) {
    const start = midnight + day * DAY_MS;
    const weekday = new Date(start).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    if (local < start + OPENS_H * HOUR_MS) return start + OPENS_H * HOUR_MS - local;
    if (local < start + CLOSES_H * HOUR_MS) return 0;
  }
}
