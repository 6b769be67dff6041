import type { Requester } from '../access/requester.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { perHour, type QuotaRule, type Quotas } from './quota.ts';

/** What an operation costs the platform beyond what it brings. */
export interface PlatformCost {
  /** What kind it is of, as the operator reads it in an alert: `XRPL payments`. */
  readonly name: string;
  /** Millionths of a USDC. */
  readonly units: bigint;
  /** No real money is paid: coins of a ledger of our own, a gateway of the sandbox. */
  readonly isOwn: boolean;
  /**
   * The contract fixes fee and minimum, and the minimum is no small amount: what all users do together is business,
   * and only a user's own hour is bounded.
   */
  readonly isBusiness?: boolean;
}

/** In tests of people on their own machine. */
const OWN_DAY_USD = 1000;
const MILLION = 1_000_000;
/** Of a day's, what a user and what a network may cause within an hour. */
const USER_SHARE = 10;
const NETWORK_SHARE = 4;
/** What one operation counts at the most: quotas are counted in 32 bits. */
const UNITS_MAX = 1_000_000_000n;

/**
 * Counts it in the caller's transaction, against what the platform pays in a day (SPONSORED_DAY_USD). While something is
 * left the next one may go beyond it. Throws RATE_LIMITED where nothing is.
 */
export async function spendPlatformCost(
  tx: Db,
  { quotas, config }: { readonly quotas: Quotas; readonly config: Config },
  { name, units, isOwn, isBusiness = false }: PlatformCost,
  by: Requester,
): Promise<void> {
  if (units <= 0n) return;
  const day = (isOwn ? OWN_DAY_USD : config.SPONSORED_DAY_USD) * MILLION;
  const limits = perHour(Math.floor(day / USER_SHARE), Math.floor(day / NETWORK_SHARE));
  const rule: QuotaRule = {
    name: `costs of ${isOwn ? 'own ' : ''}${name}`,
    words: name,
    hint: 'The platform pays for a part of these itself, and only so much in an hour and a day.',
    limits: isBusiness ? limits.filter(({ per }) => per === 'actor') : limits,
    ...(!isBusiness && { day }),
    units: Number(units < UNITS_MAX ? units : UNITS_MAX),
  };
  await quotas.spend(tx, rule, by);
}
