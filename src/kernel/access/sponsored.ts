import { networkOf } from '#kernel/network.ts';
import type { Db } from '../db/db.ts';
import { HOUR_MS } from './allowances.ts';
import type { Charge } from './budgets.ts';
import { type DayDeps, spendOfDay } from './platform-day.ts';
import type { Requester } from './requester.ts';

/** How often the platform pays for something that its callers are not charged for. */
export interface Sponsorship {
  /** What it is, as the operator reads it in an alert: `test mints`. */
  readonly name: string;
  /** An hour, for a user and for a network of theirs. */
  readonly user: number;
  readonly network: number;
  /** A day, for all. */
  readonly day: number;
}

/** On ledgers of our own coins are worth nothing; on those of others each operation costs some. */
export interface Sponsored {
  readonly own: Sponsorship;
  readonly others: Sponsorship;
}

/** Counts one in the caller's transaction. Throws RATE_LIMITED where no more are paid for now. */
export async function spendSponsored(
  tx: Db,
  deps: DayDeps,
  { name, user, network, day }: Sponsorship,
  by: Requester,
): Promise<void> {
  const charges: Charge[] = [
    { subject: `${name} by ${by.actor}`, most: user, withinMs: HOUR_MS },
    { subject: `${name} from ${networkOf(by.ip)}`, most: network, withinMs: HOUR_MS },
  ];
  await spendOfDay(tx, deps, { name, most: day }, { by, charges });
}
