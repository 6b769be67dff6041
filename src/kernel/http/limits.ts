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
}

/** Which budget a route draws on (decisions: Smaller points, rate classes). */
export const limitOf = (route: Route): LimitClass =>
  route.endpoint.limit ?? (route.endpoint.auth === 'public' ? 'public' : 'authenticated');

/** Whoever has a whole network of addresses has one budget all the same. */
export const budgetOfAddress = (ip: string): string => `ip:${networkOf(ip)}`;

/** Public endpoints count by address, the rest by key where there is a known one. */
export const spender = (limit: LimitClass, request: FastifyRequest, doors: Doors): string =>
  limit === 'public' || limit === 'key-generation'
    ? budgetOfAddress(request.ip)
    : doors.budgetOf(request);

/** Fixed windows, in memory or shared through Redis; nothing is counted where limits are off. */
export function createLimits({ on, redis }: { on: boolean; redis?: Redis | undefined }): Limits {
  if (!on) return { spend: async () => undefined };
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
      const refuse = (error: unknown): never => {
        if (!(error instanceof RateLimiterRes)) throw error;
        writeHeaders(reply, points, error);
        const retryAfter = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        throw fail('RATE_LIMITED', 'Rate limit exceeded', { retryAfter });
      };
      return limiters[limit].consume(who).then((left) => writeHeaders(reply, points, left), refuse);
    },
  };
}

function writeHeaders(reply: FastifyReply, points: number, left: RateLimiterRes): void {
  reply.header('x-ratelimit-limit', points);
  reply.header('x-ratelimit-remaining', left.remainingPoints);
  reply.header('x-ratelimit-reset', Math.ceil((machineMs() + left.msBeforeNext) / 1000));
}
