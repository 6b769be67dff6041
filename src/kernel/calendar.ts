import { DateTime, IANAZone } from 'luxon';

/** Whether a time zone has that name in the IANA database, such as `Asia/Jakarta`. */
export const isTimeZone = (name: string): boolean => NAME.test(name) && IANAZone.isValidZone(name);
/** Offsets such as `+07:00` are no zones: a zone says when its clocks change. */
const NAME = /^(?:UTC|[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)+)$/;

/** Which moment of a day is meant: its first, its last millisecond, or the first of the next day. */
export type DayEdge = 'start' | 'end' | 'until';

/** That moment of a day (`2026-01-31`) in a time zone, as ISO 8601 in UTC with milliseconds. */
export function edgeOfDay(day: string, zone: string, edge: DayEdge): string {
  const first = DateTime.fromISO(day, { zone }).startOf('day');
  const next = first.plus({ days: 1 }).startOf('day');
  const moment = { start: first, end: next.minus(1), until: next }[edge];
  return moment.toUTC().toJSDate().toISOString();
}

/** The day of a moment in a time zone: `2026-01-31`. */
export const dayIn = (zone: string, at: Date): string =>
  DateTime.fromJSDate(at, { zone }).toISODate() ?? '';

/** In which its clients' days begin and end: where most people of the country live, or its money is. */
const ZONES: Readonly<Record<string, string>> = {
  ID: 'Asia/Jakarta',
  SG: 'Asia/Singapore',
  US: 'America/New_York',
  IN: 'Asia/Kolkata',
  AU: 'Australia/Sydney',
  VN: 'Asia/Ho_Chi_Minh',
};

/** The time zone of a new client of that country (ISO 3166-1), where the client names none. */
export const zoneOfCountry = (country: string): string => ZONES[country] ?? 'UTC';
