/**
 * Seconds between two attempts of an event, as the specification of Standard Webhooks has them. The API reference is
 * generated from this.
 */
export const SCHEDULE_S: readonly number[] = [
  0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
];

/** Spreads retries of events that failed at the same moment. */
const JITTER = 0.2;

/** Seconds between two probes of a failing endpoint. */
const PROBES_S = [5, 30, 120, 600, 1800] as const;

/** The time of the next attempt after `tries`; undefined after the last one. */
export function nextTry(tries: number, now: Date, random = Math.random): Date | undefined {
  const seconds = SCHEDULE_S[tries];
  if (seconds === undefined) return undefined;
  const spread = 1 + JITTER * (2 * random() - 1);
  return new Date(now.getTime() + seconds * spread * 1000);
}

/** The time of the next probe after so many failed ones. */
export function nextProbe(probes: number, now: Date): Date {
  const seconds = PROBES_S[Math.min(probes, PROBES_S.length - 1)] ?? 0;
  return new Date(now.getTime() + seconds * 1000);
}

/** Failures in a row, over more than one event, that make an endpoint failing. */
export const FAILURES_TO_STOP = 5;

const HOUR_MS = 3_600_000;
/** Failing for so long, its owners get a mail; at last it is disabled. */
export const WARN_AFTER_MS = [HOUR_MS, 24 * HOUR_MS] as const;
export const DISABLE_AFTER_MS = 120 * HOUR_MS;

/** In words, for the reference. */
export const describeSchedule = (): string =>
  SCHEDULE_S.map((seconds) => (seconds === 0 ? 'at once' : `after ${duration(seconds)}`)).join(
    ', ',
  );

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
}
