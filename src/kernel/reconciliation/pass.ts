import type { Rail } from './rail.ts';
import type { NextPass, Side } from './side-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A window is no longer than this, as those are that are read again: each costs some statements, whatever is in it. */
const WINDOW_MS = DAY_MS;
/** It reaches back over the one before by no more. */
const OVERLAP_MAX_MS = 6 * HOUR_MS;
/** Days that are read once more, every day. */
const AGAIN_DAYS = 3;
/** Days with a difference are, for so long; every hour while it is that young. */
export const AGAIN_MAX_DAYS = 35;
export const YOUNG_DAYS = 3;
/** How long a settled line is kept, so that it is not new when its window is read again. */
const KEEP_DAYS = 7;

/** How far a window reaches back over the one before: late lines and late commits are found there. */
const overlapMs = ({ graceMs }: Pick<Rail, 'graceMs'>): number =>
  Math.min(Math.max(2 * graceMs, HOUR_MS), OVERLAP_MAX_MS);

const graceDays = ({ graceMs }: Pick<Rail, 'graceMs'>): number => Math.ceil(graceMs / DAY_MS);

/** Settled lines from then on are there. */
export const keptFrom = (rail: Pick<Rail, 'graceMs'>, now: Date): Date =>
  new Date(dayOf(now).getTime() - (KEEP_DAYS + graceDays(rail)) * DAY_MS);

/**
 * Lines before this time must have their other side on `side`, which has been read since they were old
 * enough. Where lines may be later than windows overlap, only the days that are read again count.
 */
export function dueUntil(rail: Pick<Rail, 'graceMs'>, side: Side): Date {
  const start = rail.graceMs <= OVERLAP_MAX_MS ? side.told_until : side.again_at;
  return new Date(Math.max(Date.parse(start) - rail.graceMs, 0));
}

/** The window after the last one that was read; nothing when all is read up to now. */
export function forward(rail: Pick<Rail, 'graceMs'>, side: Side, now: Date): NextPass | undefined {
  const readUntil = Date.parse(side.told_until);
  if (readUntil >= now.getTime()) return undefined;
  const from = Math.max(readUntil - overlapMs(rail), Date.parse(side.since));
  const to = Math.min(readUntil + WINDOW_MS, now.getTime());
  return { from: new Date(from), to: new Date(to) };
}

/**
 * The day that is read again next: the first after the last one that is recent, where all are, or, by
 * `next`, has to do with a difference. Nothing when there is none any more.
 */
export function nextDay(
  rail: Pick<Rail, 'graceMs'>,
  side: Side,
  { again, now, next }: { again: 'all' | 'some'; now: Date; next: Date | undefined },
): NextPass | undefined {
  const days: number[] = [];
  if (next !== undefined) days.push(next.getTime());
  if (again === 'all') {
    const last = side.again_day === null ? 0 : Date.parse(side.again_day) + DAY_MS;
    days.push(Math.max(dayOf(now).getTime() - (AGAIN_DAYS + graceDays(rail)) * DAY_MS, last));
  }
  if (days.length === 0) return undefined;
  const from = Math.max(Math.min(...days), Date.parse(side.since));
  const to = Math.min(dayOf(new Date(from)).getTime() + DAY_MS, Date.parse(side.told_until));
  return from < to ? { from: new Date(from), to: new Date(to), again } : undefined;
}

/**
 * Which days are to be read again now: all that should be a day after they last were, some, which are
 * those of young differences, after an hour. What was begun is gone on with.
 */
export function dayToRepeat(side: Side, now: Date): 'all' | 'some' | undefined {
  if (side.again_began !== null) return side.again_all ? 'all' : 'some';
  const since = (at: string) => now.getTime() - Date.parse(at);
  if (since(side.again_at) >= DAY_MS) return 'all';
  return since(side.again_some_at) >= HOUR_MS ? 'some' : undefined;
}

/** Its midnight, UTC. */
export const dayOf = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
