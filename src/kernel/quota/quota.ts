import type { Config } from '#kernel/config/config.ts';
import { networkOf, siteOf } from '#kernel/network.ts';
import type { ApprovalState, Requester } from '../access/requester.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/db.ts';
import { dryRunNow, type RehearsedLimit } from '../dry-run.ts';
import { type AppError, fail } from '../error.ts';
import type { Logger } from '../log.ts';
import { endOfWindow, type Quota, type SpentQuota, spendQuotas } from './quota-store.ts';

export const QUARTER_MS = 15 * 60_000;
export const HOUR_MS = 4 * QUARTER_MS;
export const DAY_MS = 24 * HOUR_MS;

/** What callers may cause of one kind, which costs the platform money or its name. */
export interface QuotaRule {
  /** Begins the subjects; the operator reads it in an alert: `test mints`. */
  readonly name: string;
  /** In the refusal `Too many …, try again later`, where that is not the name. */
  readonly words?: string;
  readonly hint?: string;
  readonly limits: readonly QuotaLimit[];
  /** What all callers together have in a day (UTC), of which each client has a part. */
  readonly day?: number;
  readonly units?: number;
}

export interface QuotaLimit {
  /** The requester's network, its logged-in user, or its client (else its key). */
  readonly per: 'network' | 'actor' | 'client';
  readonly withinMs: number;
  readonly most: number;
  /** For requesters that are not approved, where that differs. */
  readonly strangers?: number;
}

/** The quota that has nothing left. */
export interface UsedUpQuota {
  readonly quota: Quota;
  /** How much of it this requester has. */
  readonly most: number;
  /** Seconds. */
  readonly retryAfter: number;
}

/** Counts what costs the platform money or its name, over all processes. */
export interface Quotas {
  /** Counts one in the caller's transaction. Throws RATE_LIMITED, and then counts nothing. */
  spend(db: Db, rule: QuotaRule, by: Requester): Promise<void>;
  /**
   * Spends of each quota that applies to the requester, in the caller's transaction. Where one of them
   * is used up it spends of none, and answers the quota with the longest wait.
   */
  take(db: Db, quotas: readonly Quota[], by?: ApprovalState): Promise<UsedUpQuota | undefined>;
}

interface QuotaDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Pick<Config, 'MOCK_MODE'>;
}

const ALARM_SHARE = 0.8;

export function createQuotas({ clock, log, config }: QuotaDeps): Quotas {
  const alerted = new Map<string, number>();

  /** Once for each window and process: a second alert says nothing new. */
  function alert({ subject, most, withinMs }: Quota, used: number, text: string): void {
    const now = clock.now().getTime();
    for (const [old, until] of alerted) if (until <= now) alerted.delete(old);
    const key = `${text}: ${subject}`;
    if (alerted.has(key)) return;
    alerted.set(key, endOfWindow(now, withinMs));
    log.error({ budget: subject, used, most }, text);
  }

  function alertIfHigh({ quota, used, most, taken }: SpentQuota): void {
    const after = used + (quota.units ?? 1);
    if (used >= most) alert(quota, used, 'a ceiling is reached: no more today');
    else if (taken && after >= most * ALARM_SHARE)
      alert(quota, after, 'a ceiling is nearly reached');
  }

  const take: Quotas['take'] = async (db, quotas, by = {}) => {
    const spent = await spendQuotas(db, quotas, by, clock.now());
    const dry = dryRunNow();
    if (dry) dry.notes.limits.push(...spent.flatMap(limitOf));
    else for (const one of spent) if (one.quota.hasAlarm) alertIfHigh(one);
    const over = spent.filter(({ used, most }) => used >= most);
    // Another request has taken the last one since the statement looked.
    const lost = over.length > 0 ? over : spent.filter(({ taken }) => !taken);
    const [longest] = lost.sort((a, b) => b.wait_s - a.wait_s);
    if (!longest) return undefined;
    const { quota, most, wait_s } = longest;
    return { quota, most, retryAfter: Math.max(1, Math.ceil(wait_s)) };
  };
  return {
    take,
    async spend(db, rule, by) {
      const usedUp = await take(db, quotasOf(rule, by, config), by);
      if (usedUp === undefined) return;
      const { name, words = name, hint } = rule;
      throw tooMany(words, usedUp.retryAfter, hintOfDay(rule, usedUp) ?? hint);
    },
  };
}

/** Those of the requester alone: what others have used is not theirs to know. */
function limitOf({ quota: { subject }, used, most }: SpentQuota): RehearsedLimit[] {
  const [limit_id] = /^.+ by actor\/\d+m(?= )/.exec(subject) ?? [];
  return limit_id === undefined ? [] : [{ limit_id, used: String(used), limit: String(most) }];
}

/** The refusal when a quota is used up; the time is in seconds. */
export const tooMany = (what: string, retryAfter: number, hint?: string): AppError =>
  fail('RATE_LIMITED', `Too many ${what}, try again later`, {
    retryAfter,
    ...(hint !== undefined && { hint }),
  });

/** What a user and a network of theirs may cause within an hour. */
export const perHour = (user: number, network: number): QuotaLimit[] => [
  { per: 'actor', withinMs: HOUR_MS, most: user },
  { per: 'network', withinMs: HOUR_MS, most: network },
];

/** The quotas that one request spends of; the statement that spends sees whether the requester is approved. */
export function quotasOf(
  rule: QuotaRule,
  by: Requester,
  { MOCK_MODE }: QuotaDeps['config'],
): Quota[] {
  const { limits, day, units } = rule;
  const own = limits.flatMap((limit) => quotasPer(rule.name, limit, by, MOCK_MODE));
  const all = day === undefined ? own : [...own, ...quotasOfDay(rule.name, day, by, MOCK_MODE)];
  return units === undefined ? all : all.map((quota) => ({ ...quota, units }));
}

function quotasPer(name: string, limit: QuotaLimit, by: Requester, isMock: boolean): Quota[] {
  const { per, withinMs, most, strangers = most } = limit;
  const quota = (standing: 'approved' | 'strangers'): Quota[] => {
    const whose = ownerOf(per, by, standing);
    if (whose === undefined) return [];
    const subject = `${name} by ${per}/${withinMs / 60_000}m ${whose}`;
    const count = standing === 'approved' ? most : strangers;
    return [{ subject, most: count, withinMs, isShared: per === 'client', only: standing }];
  };
  const approved = quota('approved');
  // Mock mode cannot be reached from outside and approves everybody.
  if (!isMock && (per === 'client' || strangers !== most))
    return [...approved, ...quota('strangers')];
  return approved.map(({ only: _, ...applies }) => applies);
}

function ownerOf(
  per: QuotaLimit['per'],
  { ip, actor, client_id, key_id }: Requester,
  standing: 'approved' | 'strangers',
): string | undefined {
  if (per === 'network') return networkOf(ip);
  if (per === 'actor') return actor;
  // Strangers may share a client with others, whose share they must not use up.
  const prefix = standing === 'approved' ? '' : 'stranger ';
  if (typeof client_id === 'number') return `${prefix}client:${client_id}`;
  return typeof key_id === 'number' ? `${prefix}key:${key_id}` : undefined;
}

const PER_DAY = { withinMs: DAY_MS, isShared: true } as const;
const strangersOf = (name: string): string => `${name} a day by strangers`;

/**
 * While another client is ACTIVE, a client has half of the day, and all strangers together have half; an installation
 * with one client loses nothing (decision 36).
 */
function quotasOfDay(name: string, most: number, by: Requester, isMock: boolean): Quota[] {
  const whole = { ...PER_DAY, subject: `${name} a day`, most, hasAlarm: true };
  const part = clientPartOfDay(name, most, by);
  // Mock mode approves everybody, and where no key is read everybody is a stranger.
  if (isMock || by.client_id === undefined) return [part, whole];
  const strangers = { ...PER_DAY, subject: strangersOf(name), most, yields: true };
  return [{ ...part, only: 'approved' }, { ...strangers, only: 'strangers' }, whole];
}

/**
 * What a client has of a day. Keys are free: the key of no client is counted by its network, of IPv6 by all that one
 * customer may have.
 */
export function clientPartOfDay(name: string, most: number, by: Requester): Quota {
  const { client_id, ip } = by;
  const owner =
    typeof client_id === 'number' ? `client:${client_id}` : (siteOf(ip) ?? networkOf(ip));
  return { ...PER_DAY, subject: `${name} a day by ${owner}`, most, yields: true };
}

/** Whose part is used up; undefined where it is the whole, or the requester's own hour. */
export function hintOfDay(
  { name, day }: Pick<QuotaRule, 'name' | 'day'>,
  { quota, most }: UsedUpQuota,
): string | undefined {
  if (!quota.yields || most === day) return undefined;
  const whose =
    quota.subject === strangersOf(name)
      ? 'Callers without an approved client have used up their part'
      : 'Your client has used up its part';
  return `${whose} of what there is of ${name} a day, ${most} of ${day}: wait for the seconds in Retry-After.`;
}
