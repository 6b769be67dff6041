import type { Config } from '#kernel/config/config.ts';
import { networkOf, siteOf } from '#kernel/network.ts';
import type { Db } from '../db/db.ts';
import type { AppError } from '../error.ts';
import { DAY_MS, tooMany } from './allowances.ts';
import type { Budgets, Charge, UsedUp } from './budgets.ts';
import type { Requester } from './requester.ts';

/** What the platform pays for so often a day (UTC), for all callers together. */
export interface PlatformDay {
  /** What it is, as the operator reads it in an alert: `test mints`. */
  readonly name: string;
  readonly most: number;
  /** As a refusal says it, where that is not the name. */
  readonly words?: string;
}

export interface DayDeps {
  readonly config: Pick<Config, 'MOCK_MODE'>;
  readonly budgets: Budgets;
}

/** One more, for a requester, who also pays for it by these charges. */
interface Spending {
  readonly by: Requester;
  readonly charges: readonly Charge[];
}

/**
 * Counts one of a day in the caller's transaction. While another client is ACTIVE, a client has half of the day, and all
 * strangers together have half; an installation with one client loses nothing (decision 36). Throws RATE_LIMITED.
 */
export async function spendOfDay(
  db: Db,
  { config, budgets }: DayDeps,
  day: PlatformDay,
  { by, charges }: Spending,
): Promise<void> {
  const all = [...charges, ...chargesOfDay(day, by, config.MOCK_MODE)];
  const usedUp = await budgets.take(db, all, by);
  if (usedUp) throw refusal(day, usedUp);
}

const WIDE = { withinMs: DAY_MS, wide: true } as const;
const wholeOf = ({ name }: PlatformDay): string => `${name} a day`;
const strangersOf = (day: PlatformDay): string => `${wholeOf(day)} by strangers`;

function chargesOfDay(day: PlatformDay, by: Requester, isMock: boolean): Charge[] {
  const { most } = day;
  const whole = { ...WIDE, subject: wholeOf(day), most, alarm: true };
  const part = partOfDay(day, by);
  // Mock mode approves everybody, and where no key is read everybody is a stranger.
  if (isMock || by.client_id === undefined) return [part, whole];
  const strangers = { ...WIDE, subject: strangersOf(day), most, yields: true };
  return [{ ...part, only: 'approved' }, { ...strangers, only: 'strangers' }, whole];
}

/** What a requester has of a day while others have to have their part. */
export const partOfDay = (day: PlatformDay, by: Requester): Charge => ({
  ...WIDE,
  subject: `${wholeOf(day)} by ${whoseOf(by)}`,
  most: day.most,
  yields: true,
});

/** Keys are free: who comes with one of no client is known by the network, of IPv6 by all that one customer may have. */
function whoseOf({ client_id, ip }: Requester): string {
  return typeof client_id === 'number' ? `client:${client_id}` : (siteOf(ip) ?? networkOf(ip));
}

function refusal(day: PlatformDay, usedUp: UsedUp): AppError {
  const { name, words = name } = day;
  return tooMany(words, usedUp.retryAfter, hintOfDay(day, usedUp));
}

/** Whose part is used up; nothing where it is the whole, or what the requester has an hour. */
export function hintOfDay(day: PlatformDay, { charge, most }: UsedUp): string | undefined {
  const { subject, yields } = charge;
  if (!yields || most === day.most) return undefined;
  const whose =
    subject === strangersOf(day)
      ? 'Callers without an approved client have used up their part'
      : 'Your client has used up its part';
  return `${whose} of what there is of ${day.name} a day, ${most} of ${day.most}: wait for the seconds in Retry-After.`;
}
