import { networkOf } from '#kernel/network.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { fail } from '../error.ts';
import { DAY_MS, HOUR_MS } from './allowances.ts';
import type { Budgets, Charge } from './budgets.ts';
import { hintOfDay, partOfDay } from './platform-day.ts';
import type { Requester } from './requester.ts';

/** What an operation costs the platform beyond what it brings. */
export interface Uncovered {
  /** What kind it is of, as the operator reads it in an alert: `XRPL payments`. */
  readonly name: string;
  /** Millionths of a USDC. */
  readonly units: bigint;
  /** Nobody is really paid: coins of a ledger of our own, a gateway of the sandbox. */
  readonly isOwn: boolean;
  /**
   * The contract fixes fee and minimum, and the minimum is no small amount: what everybody does together is
   * business, and only a user's own hour is bounded.
   */
  readonly isBusiness?: boolean;
}

/** In tests of people on their own machine. */
const OWN_DAY_USD = 1000;
const MILLION = 1_000_000;
/** Of a day's, what a user and what a network may cause within an hour. */
const USER_SHARE = 10;
const NETWORK_SHARE = 4;
/** What one operation counts at the most: budgets are counted in 32 bits. */
const UNITS_MAX = 1_000_000_000n;

/**
 * Counts it in the caller's transaction, against what the platform pays in a day (SPONSORED_DAY_USD). While something is
 * left the next one may go beyond it. Throws RATE_LIMITED where nothing is.
 */
export async function spendUncovered(
  tx: Db,
  { budgets, config }: { readonly budgets: Budgets; readonly config: Config },
  { name, units, isOwn, isBusiness = false }: Uncovered,
  by: Requester,
): Promise<void> {
  const { actor, ip } = by;
  if (units <= 0n) return;
  const day = (isOwn ? OWN_DAY_USD : config.SPONSORED_DAY_USD) * MILLION;
  const cost = Number(units < UNITS_MAX ? units : UNITS_MAX);
  const costs = `costs of ${isOwn ? 'own ' : ''}${name}`;
  const inAnHour = (by: string, share: number): Charge => ({
    subject: `${costs} ${by}`,
    most: Math.floor(day / share),
    units: cost,
    withinMs: HOUR_MS,
  });
  // One client has half of it while there is another (platform-day.ts).
  const platformDay = { name: costs, most: day };
  const all = { subject: `${costs} a day`, most: day, units: cost, withinMs: DAY_MS };
  const charges = isBusiness
    ? [inAnHour(`by ${actor}`, USER_SHARE)]
    : [
        inAnHour(`by ${actor}`, USER_SHARE),
        inAnHour(`from ${networkOf(ip)}`, NETWORK_SHARE),
        { ...all, wide: true, alarm: true },
        { ...partOfDay(platformDay, by), units: cost },
      ];
  const usedUp = await budgets.take(tx, charges, by);
  if (usedUp === undefined) return;
  throw fail('RATE_LIMITED', `Too many ${name}, try again later`, {
    retryAfter: usedUp.retryAfter,
    hint:
      hintOfDay(platformDay, usedUp) ??
      'The platform pays for a part of these itself, and only so much in an hour and a day.',
  });
}
