import { networkOf } from '#kernel/network.ts';
import type { Db } from '../db/db.ts';
import { fail } from '../error.ts';
import { DAY_MS, HOUR_MS } from './allowances.ts';
import type { Budgets, Charge } from './budgets.ts';
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
  budgets: Budgets,
  { name, user, network, day }: Sponsorship,
  { actor, ip }: Requester,
): Promise<void> {
  const charges: Charge[] = [
    { subject: `${name} by ${actor}`, most: user, withinMs: HOUR_MS },
    { subject: `${name} from ${networkOf(ip)}`, most: network, withinMs: HOUR_MS },
    { subject: `${name} a day`, most: day, withinMs: DAY_MS, wide: true, alarm: true },
  ];
  const retryAfter = await budgets.spend(tx, charges);
  if (retryAfter !== undefined)
    throw fail('RATE_LIMITED', `Too many ${name}, try again later`, { retryAfter });
}
