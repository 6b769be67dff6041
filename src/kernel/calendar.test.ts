import { expect, test } from 'vitest';
import { edgeOfDay, isTimeZone, zoneOfCountry } from './calendar.ts';

test('a day begins and ends where its time zone says', () => {
  expect(edgeOfDay('2026-11-30', 'UTC', 'start')).toBe('2026-11-30T00:00:00.000Z');
  expect(edgeOfDay('2026-11-30', 'UTC', 'end')).toBe('2026-11-30T23:59:59.999Z');
  expect(edgeOfDay('2026-11-30', 'UTC', 'until')).toBe('2026-12-01T00:00:00.000Z');
  expect(edgeOfDay('2026-11-30', 'Asia/Jakarta', 'start')).toBe('2026-11-29T17:00:00.000Z');
  expect(edgeOfDay('2026-11-30', 'Asia/Jakarta', 'end')).toBe('2026-11-30T16:59:59.999Z');
});

test('a day has 23 or 25 hours where the clocks change, and begins later where they change at midnight', () => {
  const hours = (day: string, zone: string) =>
    (Date.parse(edgeOfDay(day, zone, 'until')) - Date.parse(edgeOfDay(day, zone, 'start'))) /
    3_600_000;
  expect(hours('2026-03-08', 'America/New_York')).toBe(23);
  expect(hours('2026-11-01', 'America/New_York')).toBe(25);
  expect(hours('2026-09-06', 'America/Santiago')).toBe(23);
  expect(edgeOfDay('2026-09-06', 'America/Santiago', 'start')).toBe('2026-09-06T04:00:00.000Z');
});

test('only names of the IANA database are time zones', () => {
  for (const zone of ['UTC', 'Asia/Jakarta', 'America/New_York'])
    expect(isTimeZone(zone)).toBe(true);
  for (const name of ['', 'Jakarta', 'UTC+7', '+07:00', 'Asia/Atlantis', 'local'])
    expect(isTimeZone(name)).toBe(false);
});

test.each(['ID', 'SG', 'US', 'IN', 'AU', 'VN', 'XX'])(
  'a client of %s gets a time zone',
  (country) => {
    expect(isTimeZone(zoneOfCountry(country))).toBe(true);
  },
);
