import type { Redis } from 'ioredis';
import { fail } from '#kernel/error.ts';
import type { LimitClass, Route } from '#kernel/http/declare/route.ts';
import { machineMs } from '../../clock.ts';
import { networkOf } from '../../network.ts';
import {
  createWindows,
  shareWindows,
  type WindowCount,
  type WindowKind,
  type WindowSubject,
} from '../../quota/windows.ts';
import { carry, type ReadyReply } from './ready-answer.ts';

type Limit = LimitClass | 'page' | 'probe';

/** Contract part 1, Limits; and the pages and probes beside the API, which browsers and monitors request often. */
const BUDGETS: Readonly<Record<Limit, Omit<RateLimit, 'name'>>> = {
  public: { most: 100, seconds: 60 },
  authenticated: { most: 1000, seconds: 60 },
  upload: { most: 10, seconds: 60 },
  'key-generation': { most: 5, seconds: 3600 },
  'key-listing': { most: 100, seconds: 60 },
  'key-deletion': { most: 10, seconds: 60 },
  page: { most: 300, seconds: 60 },
  probe: { most: 3000, seconds: 60 },
};

/** How many requests in a window. */
interface RateLimit extends WindowKind {
  readonly most: number;
}

/** One object for all subjects that share a budget. */
const BUDGETS_BY = Object.fromEntries(
  Object.entries(BUDGETS).map(([limit, budget]) => [
    limit,
    {
      address: { ...budget, name: `limit:${limit}:address` },
      key: { ...budget, name: `limit:${limit}:key` },
      user: { ...budget, name: `limit:${limit}:user` },
    },
  ]),
) as Readonly<Record<Limit, Readonly<Record<Spending['by'], RateLimit>>>>;

/**
 * What all keys together spend from one address, and all keys of one client: keys are free, so a
 * limit for each key alone would be none.
 */
const ADDRESS_CEILING: RateLimit = { name: 'ceiling:address', most: 10_000, seconds: 60 };
const CLIENT_CEILING: RateLimit = { name: 'ceiling:client', most: 20_000, seconds: 60 };

export interface Spending {
  readonly limit: Limit;
  /** Whose budget it is, and which of them. */
  readonly by: 'address' | 'key' | 'user';
  readonly id: string | number;
  /** Whose ceilings count as well. */
  readonly below?: { readonly address: string; readonly client_id: number | null };
  /** How often in a minute, where a key has a rate of its own over all kinds of requests. */
  readonly own?: number | null | undefined;
}

export interface Limits {
  /**
   * Spends one request and writes the three headers about its budget. Throws RATE_LIMITED. Answers a
   * promise only where Redis counts.
   */
  spend(spending: Spending, reply: ReadyReply): undefined | Promise<undefined>;
  /** The same without spending: throws and writes as the next `spend` would find it. */
  check(spending: Spending, reply: ReadyReply): Promise<void>;
  /** Gives back what was spent on nothing, or by another kind of request, and rewrites the headers. */
  refund(spending: Spending, reply?: ReadyReply): Promise<void>;
}

/** The contract limits how many keys are made: a request that makes none is free. */
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
  const nothing = async () => undefined;
  if (!on) return { spend: () => undefined, check: nothing, refund: nothing };
  const own = createWindows();
  const windows = redis ? shareWindows(redis, own) : own;
  const judge = (
    { limit }: Spending,
    counted: readonly WindowSubject<RateLimit>[],
    counts: readonly WindowCount<RateLimit>[],
    reply: ReadyReply,
  ): undefined => {
    const [first] = counts;
    const own = ownOf(counts);
    if (first) writeHeaders(reply, own && leftOf(own) < leftOf(first) ? own : first);
    let waitMs = 0;
    let worst: RateLimit | undefined;
    for (const count of counts) {
      const wait = waitOf(count);
      if (wait > waitMs) [waitMs, worst] = [wait, count.kind];
    }
    if (worst === undefined) return undefined;
    // A refused request uses up nothing that others share with it.
    void windows.add(countsWhenDone(limit) ? counted : counted.slice(1), -1);
    throw refused(worst, waitMs);
  };
  return {
    // Every request comes by here: it allocates nothing that counting does not need.
    spend(spending, reply) {
      const counted = countedOf(spending);
      const counts = windows.add(counted, 1);
      if (counts instanceof Promise)
        return counts.then((found) => judge(spending, counted, found, reply));
      return judge(spending, counted, counts, reply);
    },
    async check(spending, reply) {
      const [count] = await windows.add(countedOf(spending).slice(0, 1), 0);
      if (!count) return;
      writeHeaders(reply, count);
      if (count.used >= count.kind.most) throw refused(count.kind, Math.max(1, count.msLeft));
    },
    async refund(spending, reply) {
      const [count] = await windows.add(countedOf(spending), -1);
      if (reply && count) writeHeaders(reply, count);
    },
  };
}

function countedOf({ limit, by, id, below, own }: Spending): WindowSubject<RateLimit>[] {
  const budget = { kind: BUDGETS_BY[limit][by], id };
  if (!below) return [budget];
  const counted = [budget, { kind: ADDRESS_CEILING, id: below.address }];
  if (below.client_id !== null) counted.push({ kind: CLIENT_CEILING, id: below.client_id });
  if (own) counted.push({ kind: ownRate(own), id });
  return counted;
}

const OWN_RATE = 'own-rate:key';
/** One object for all keys of the same rate; there are as many as rates. */
const OWN_RATES = new Map<number, RateLimit>();

function ownRate(most: number): RateLimit {
  const known = OWN_RATES.get(most) ?? { name: OWN_RATE, most, seconds: 60 };
  OWN_RATES.set(most, known);
  return known;
}

/** The count of a key's own rate stands last, where it has one. */
function ownOf(counts: readonly WindowCount<RateLimit>[]): WindowCount<RateLimit> | undefined {
  const last = counts.at(-1);
  return last?.kind.name === OWN_RATE ? last : undefined;
}

const leftOf = ({ kind: { most }, used }: WindowCount<RateLimit>): number => most - used;

function refused({ name, most, seconds }: RateLimit, waitMs: number) {
  const retryAfter = Math.ceil(waitMs / 1000);
  const whose = name.slice(name.lastIndexOf(':') + 1);
  return fail('RATE_LIMITED', 'Rate limit exceeded', {
    retryAfter,
    retryAfterMs: waitMs,
    details: { limit: most, window_seconds: seconds, counted_by: whose, retry_after: retryAfter },
    hint: `Wait ${retryAfter} seconds: each ${whose} has ${most} of these in ${seconds} seconds. X-RateLimit-Remaining shows what is left.`,
  });
}

/** Milliseconds until the next window, where more was spent than there is; otherwise 0. */
const waitOf = ({ kind: { most }, used, msLeft }: WindowCount<RateLimit>): number =>
  used > most ? Math.max(1, msLeft) : 0;

const writeHeaders = (
  reply: ReadyReply,
  { kind: { most }, used, msLeft }: WindowCount<RateLimit>,
): void =>
  carry(
    reply,
    'budget',
    `x-ratelimit-limit: ${most}\r\nx-ratelimit-remaining: ${Math.max(0, most - used)}\r\nx-ratelimit-reset: ${Math.ceil((machineMs() + msLeft) / 1000)}\r\n`,
  );
