import type { Redis } from 'ioredis';
import type { Count, Counted, OwnWindows, ReplyKind, Windows } from './windows.ts';

/**
 * Counted in Redis for all processes, in one round trip. While it is away each counts for itself rather
 * than letting everything through, or nothing.
 */
export const shareWindows = (redis: Redis, own: OwnWindows): Windows => ({
  add: (what, times) => addAt(redis, what, times).catch(() => own.add(what, times)),
});

async function addAt<K extends ReplyKind>(
  redis: Redis,
  what: readonly Counted<K>[],
  times: number,
): Promise<Count<K>[]> {
  if (what.length === 0) return [];
  const asked = redis.multi();
  const named = what.map(({ kind, id }) => ({ kind, name: `${kind.name}:${id}` }));
  for (const { name, kind } of named)
    asked.set(name, 0, 'EX', kind.seconds, 'NX').incrby(name, times).pttl(name);
  const answers = (await asked.exec()) ?? [];
  const lost = named.filter((_, n) => numberOf(answers[3 * n + 2]) < 0);
  // One that ended in between was begun again without an end.
  await Promise.all(lost.map(({ name, kind }) => redis.expire(name, kind.seconds)));
  return named.map(({ kind }, n) => {
    const used = numberOf(answers[3 * n + 1]);
    const msLeft = numberOf(answers[3 * n + 2]);
    return { kind, used, msLeft: msLeft < 0 ? kind.seconds * 1000 : msLeft };
  });
}

function numberOf([error, answer]: [Error | null, unknown] = [null, undefined]): number {
  if (error) throw error;
  if (typeof answer !== 'number') throw new Error('Redis left a count out');
  return answer;
}
