import type { Redis } from 'ioredis';
import type { Logger } from './log.ts';

/** What waits for it goes on without it sooner than its caller gives up. */
const ANSWER_MS = 500;
const SILENCE_MS = 5000;

/**
 * A connection that comes back by itself. What is asked while it is away, or silent, fails soon. The
 * client is loaded by those only who have a Redis.
 */
export async function openRedis(url: string, log: Logger): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: ANSWER_MS,
    socketTimeout: SILENCE_MS,
  });
  redis.on('error', (err: Error) => log.warn({ err }, 'redis is away, limits count per process'));
  return redis;
}
