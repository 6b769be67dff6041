import type { Redis } from 'ioredis';
import { after } from '#kernel/after.ts';
import { fail } from '#kernel/error.ts';
import type { LimitClass, Route } from '#kernel/http/declare/route.ts';
import { machineMs } from '../../clock.ts';
import { networkOf } from '../../network.ts';
import { carry, type ReadyReply } from './ready-answer.ts';
import { shareWindows } from './shared-windows.ts';
import { type Count, type Counted, createWindows, type ReplyKind } from './windows.ts';

interface Budget {
  readonly points: number;
  readonly seconds: number;
}
type Limit = LimitClass | 'page' | 'probe';

/** Contract part 1, Limits; and what is beside the API, which browsers and probes ask for often. */
const BUDGETS: Readonly<Record<Limit, Budget>> = {
  public: { points: 100, seconds: 60 },
  authenticated: { points: 1000, seconds: 60 },
  upload: { points: 10, seconds: 60 },
  'key-generation': { points: 5, seconds: 3600 },
  'key-listing': { points: 100, seconds: 60 },
  'key-deletion': { points: 10, seconds: 60 },
  page: { points: 300, seconds: 60 },
  probe: { points: 3000, seconds: 60 },
};

interface Allowance extends ReplyKind {
  readonly points: number;
}

/** One for all who share that budget. */
const ALLOWANCES = Object.fromEntries(
  Object.entries(BUDGETS).map(([limit, budget]) => [
    limit,
    {
      address: { ...budget, name: `limit:${limit}:address` },
      key: { ...budget, name: `limit:${limit}:key` },
      user: { ...budget, name: `limit:${limit}:user` },
    },
  ]),
) as Readonly<Record<Limit, Readonly<Record<Spending['by'], Allowance>>>>;

/**
 * What all keys together spend from one address, and all those of one client: keys are free, so a
 * limit for each of them alone would be none.
 */
const ADDRESS_CEILING: Allowance = { name: 'ceiling:address', points: 10_000, seconds: 60 };
const CLIENT_CEILING: Allowance = { name: 'ceiling:client', points: 20_000, seconds: 60 };

export interface Spending {
  readonly limit: Limit;
  /** Whose budget it is, and which of them. */
  readonly by: 'address' | 'key' | 'user';
  readonly id: string | number;
  /** Whose ceilings count as well. */
  readonly below?: { readonly address: string; readonly client_id: number | null };
}

export interface Limits {
  /**
   * Spends one request and writes the three headers about its budget. Throws RATE_LIMITED. Answers
   * nothing where that is known at once.
   */
  spend(spending: Spending, reply: ReadyReply): undefined | Promise<undefined>;
  /** The same without spending: throws and writes as the next `spend` would find it. */
  check(spending: Spending, reply: ReadyReply): undefined | Promise<undefined>;
  /**
   * Gives back what was spent on nothing, or by another kind of request, and writes the headers
   * anew.
   */
  refund(spending: Spending, reply?: ReadyReply): undefined | Promise<undefined>;
}

/**
 * What is limited is how many were made (contract: new keys): asking for one that is refused is
 * free.
 */
export const countsWhenDone = (limit: Limit): boolean => limit === 'key-generation';

/** Which budget each request of a route draws on (decisions: Smaller points, rate classes). */
export function limitOf({ endpoint: { auth, limit } }: Route): LimitClass {
  if (limit !== undefined && !countsWhenDone(limit)) return limit;
  return auth === 'public' ? 'public' : 'authenticated';
}

/** By address: all addresses of one network share one budget. */
export const byAddress = (limit: Limit, ip: string): Spending => ({
  limit,
  by: 'address',
  id: networkOf(ip),
});

/** Fixed windows, in memory or shared through Redis; nothing is counted where limits are off. */
export function createLimits({ on, redis }: { on: boolean; redis?: Redis | undefined }): Limits {
  const nothing = () => undefined;
  if (!on) return { spend: nothing, check: nothing, refund: nothing };
  const own = createWindows();
  const windows = redis ? shareWindows(redis, own) : own;
  const judge = (
    { limit }: Spending,
    counted: readonly Counted<Allowance>[],
    counts: readonly Count<Allowance>[],
    reply: ReadyReply,
  ): undefined => {
    if (counts[0]) writeHeaders(reply, counts[0]);
    let waitMs = 0;
    let worst: Allowance | undefined;
    for (const count of counts) {
      const wait = waitOf(count);
      if (wait > waitMs) [waitMs, worst] = [wait, count.kind];
    }
    if (worst === undefined) return undefined;
    // What is refused uses up nothing that others have in common with it.
    void windows.add(countsWhenDone(limit) ? counted : counted.slice(1), -1);
    throw refused(worst, waitMs);
  };
  return {
    // Every request comes by here: nothing is made for it that counting does not need.
    spend(spending, reply) {
      const counted = countedOf(spending);
      const counts = windows.add(counted, 1);
      if (counts instanceof Promise)
        return counts.then((found) => judge(spending, counted, found, reply));
      return judge(spending, counted, counts, reply);
    },
    check: (spending, reply) =>
      after(windows.add(countedOf(spending).slice(0, 1), 0), ([count]) => {
        if (!count) return undefined;
        writeHeaders(reply, count);
        if (count.used >= count.kind.points) throw refused(count.kind, Math.max(1, count.msLeft));
        return undefined;
      }),
    refund: (spending, reply) =>
      after(windows.add(countedOf(spending), -1), ([count]) => {
        if (reply && count) writeHeaders(reply, count);
        return undefined;
      }),
  };
}

function countedOf({ limit, by, id, below }: Spending): Counted<Allowance>[] {
  const budget = { kind: ALLOWANCES[limit][by], id };
  if (!below) return [budget];
  const address = { kind: ADDRESS_CEILING, id: below.address };
  if (below.client_id === null) return [budget, address];
  return [budget, address, { kind: CLIENT_CEILING, id: below.client_id }];
}

function refused({ name, points, seconds }: Allowance, waitMs: number) {
  const retryAfter = Math.ceil(waitMs / 1000);
  const whose = name.slice(name.lastIndexOf(':') + 1);
  return fail('RATE_LIMITED', 'Rate limit exceeded', {
    retryAfter,
    details: { limit: points, window_seconds: seconds, counted_by: whose, retry_after: retryAfter },
    hint: `Wait ${retryAfter} seconds: each ${whose} has ${points} of these in ${seconds} seconds. X-RateLimit-Remaining shows what is left.`,
  });
}

/** How long until it is anew, where more was spent than there was. */
const waitOf = ({ kind: { points }, used, msLeft }: Count<Allowance>): number =>
  used > points ? Math.max(1, msLeft) : 0;

const writeHeaders = (
  reply: ReadyReply,
  { kind: { points }, used, msLeft }: Count<Allowance>,
): void =>
  carry(
    reply,
    'budget',
    `x-ratelimit-limit: ${points}\r\nx-ratelimit-remaining: ${Math.max(0, points - used)}\r\nx-ratelimit-reset: ${Math.ceil((machineMs() + msLeft) / 1000)}\r\n`,
  );
