/**
 * Seconds from the try before to the next one of an event, as the specification of Standard Webhooks has
 * them. The reference is made of this; nothing else says when.
 */
export const SCHEDULE_S: readonly number[] = [
  0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
];

/** So much sooner or later, so that what failed at one moment does not come back at one moment. */
const JITTER = 0.2;

/** How long an endpoint that fails is left alone before it is asked once more. */
const PROBES_S = [5, 30, 120, 600, 1800] as const;

/** When to try again what was tried so many times; nothing where that was the last time. */
export function nextTry(tries: number, now: Date, random = Math.random): Date | undefined {
  const seconds = SCHEDULE_S[tries];
  if (seconds === undefined) return undefined;
  const spread = 1 + JITTER * (2 * random() - 1);
  return new Date(now.getTime() + seconds * spread * 1000);
}

/** When to probe an endpoint that has failed so many probes. */
export function nextProbe(probes: number, now: Date): Date {
  const seconds = PROBES_S[Math.min(probes, PROBES_S.length - 1)] ?? 0;
  return new Date(now.getTime() + seconds * 1000);
}

/** So many failures in a row, over more than one event, mean that it is the endpoint that fails. */
export const FAILURES_TO_STOP = 5;

const HOUR_MS = 3_600_000;
/** Its owner is told after so long, and it is disabled at last. */
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
