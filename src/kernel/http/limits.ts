import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Doors } from '../access/doors.ts';
import { networkOf } from '../access/network.ts';
import { machineMs } from '../clock.ts';
import { fail } from './error.ts';
import type { LimitClass, Route } from './route.ts';

interface Budget {
  readonly points: number;
  readonly seconds: number;
}

/** Contract part 1, Limits. */
const BUDGETS: Record<LimitClass, Budget> = {
  public: { points: 100, seconds: 60 },
  authenticated: { points: 1000, seconds: 60 },
  upload: { points: 10, seconds: 60 },
  'key-generation': { points: 5, seconds: 3600 },
  'key-listing': { points: 100, seconds: 60 },
  'key-deletion': { points: 10, seconds: 60 },
};

export interface Limits {
  /** Spends one request of `who`'s budget and writes the three headers; throws RATE_LIMITED. */
  spend(limit: LimitClass, who: string, reply: FastifyReply): Promise<void>;
  /** The same without spending: throws and writes as the next `spend` would find it. */
  check(limit: LimitClass, who: string, reply: FastifyReply): Promise<void>;
  /** Gives back what was spent on nothing, and writes the headers anew. */
  refund(limit: LimitClass, who: string, reply: FastifyReply): Promise<void>;
}

/** What is limited is how many were made (contract: new keys): asking for one that is refused is free. */
export const countsWhenDone = (limit: LimitClass): boolean => limit === 'key-generation';

/** Which budget each request of a route draws on (decisions: Smaller points, rate classes). */
export function limitOf({ endpoint: { auth, limit } }: Route): LimitClass {
  if (limit !== undefined && !countsWhenDone(limit)) return limit;
  return auth === 'public' ? 'public' : 'authenticated';
}

/** Whoever has a whole network of addresses has one budget all the same. */
export const budgetOfAddress = (ip: string): string => `ip:${networkOf(ip)}`;

/** Public endpoints count by address, the rest by key where there is a known one. */
export const spender = (limit: LimitClass, request: FastifyRequest, doors: Doors): string =>
  limit === 'public' ? budgetOfAddress(request.ip) : doors.budgetOf(request);

/** Fixed windows, in memory or shared through Redis; nothing is counted where limits are off. */
export function createLimits({ on, redis }: { on: boolean; redis?: Redis | undefined }): Limits {
  const nothing = async () => undefined;
  if (!on) return { spend: nothing, check: nothing, refund: nothing };
  const limiterOf = (name: LimitClass): RateLimiterAbstract => {
    const { points, seconds } = BUDGETS[name];
    const memory = { points, duration: seconds, keyPrefix: `limit:${name}` };
    if (!redis) return new RateLimiterMemory(memory);
    // While Redis is away every process counts for itself rather than letting everything through.
    const insuranceLimiter = new RateLimiterMemory(memory);
    return new RateLimiterRedis({ ...memory, storeClient: redis, insuranceLimiter });
  };
  const limiters: Record<LimitClass, RateLimiterAbstract> = {
    public: limiterOf('public'),
    authenticated: limiterOf('authenticated'),
    upload: limiterOf('upload'),
    'key-generation': limiterOf('key-generation'),
    'key-listing': limiterOf('key-listing'),
    'key-deletion': limiterOf('key-deletion'),
  };
  return {
    spend(limit, who, reply) {
      const { points } = BUDGETS[limit];
      const refuse = async (error: unknown): Promise<never> => {
        if (!(error instanceof RateLimiterRes)) throw error;
        if (countsWhenDone(limit)) await takeBack(limiters[limit], who);
        return refused(reply, points, error);
      };
      return limiters[limit].consume(who).then((left) => writeHeaders(reply, points, left), refuse);
    },
    async check(limit, who, reply) {
      const { points, seconds } = BUDGETS[limit];
      const found = await limiters[limit].get(who);
      const open = found && found.msBeforeNext > 0 ? found : undefined;
      const left = open ?? new RateLimiterRes(points, seconds * 1000, 0);
      if (left.consumedPoints >= points) refused(reply, points, left);
      writeHeaders(reply, points, left);
    },
    async refund(limit, who, reply) {
      writeHeaders(reply, BUDGETS[limit].points, await takeBack(limiters[limit], who));
    },
  };
}

/** Where the window has ended meanwhile there is nothing to give back, and nothing to win. */
async function takeBack(limiter: RateLimiterAbstract, who: string): Promise<RateLimiterRes> {
  const left = await limiter.reward(who);
  return left.consumedPoints < 0 ? limiter.penalty(who) : left;
}

function refused(reply: FastifyReply, points: number, left: RateLimiterRes): never {
  writeHeaders(reply, points, left);
  const retryAfter = Math.max(1, Math.ceil(left.msBeforeNext / 1000));
  throw fail('RATE_LIMITED', 'Rate limit exceeded', { retryAfter });
}

function writeHeaders(reply: FastifyReply, points: number, left: RateLimiterRes): void {
  reply.header('x-ratelimit-limit', points);
  reply.header('x-ratelimit-remaining', left.remainingPoints);
  reply.header('x-ratelimit-reset', Math.ceil((machineMs() + left.msBeforeNext) / 1000));
}
