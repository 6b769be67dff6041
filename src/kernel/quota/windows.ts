import type { Redis } from 'ioredis';
import { monotonicMs } from '../clock.ts';

/** Counted in windows of so many seconds, each of which begins with the first request in it. */
export interface WindowKind {
  readonly name: string;
  readonly seconds: number;
}
export interface WindowSubject<K extends WindowKind = WindowKind> {
  /** The same object for all subjects of a kind. */
  readonly kind: K;
  readonly id: string | number;
}
export interface WindowCount<K extends WindowKind = WindowKind> {
  readonly kind: K;
  /** This request included. */
  readonly used: number;
  readonly msLeft: number;
}
type Counts<K extends WindowKind> = readonly WindowCount<K>[];
type Step = 1 | 0 | -1;

/** Counts in fixed windows. Answers at once, and a promise only where Redis counts. */
export interface Windows {
  /** Adds `step` to each subject, and answers their counts in the same order. */
  add<K extends WindowKind>(
    subjects: readonly WindowSubject<K>[],
    step: Step,
  ): Counts<K> | Promise<Counts<K>>;
}
export interface ProcessWindows extends Windows {
  add<K extends WindowKind>(subjects: readonly WindowSubject<K>[], step: Step): Counts<K>;
}

interface Window {
  used: number;
  readonly endsAt: number;
}
type OpenWindows = Map<string | number, Window>;

/** Far more than come by in a minute; past it the oldest are dropped, for memory has an end. */
const WINDOWS_MAX = 200_000;

/** Of this process alone. */
export function createWindows(): ProcessWindows {
  // Windows of a kind end in the order in which they began, so those that have ended are in front.
  const byKind = new Map<WindowKind, OpenWindows>();
  const openOf = (kind: WindowKind): OpenWindows => {
    const found = byKind.get(kind);
    if (found) return found;
    const open: OpenWindows = new Map();
    byKind.set(kind, open);
    return open;
  };
  return {
    add<K extends WindowKind>(subjects: readonly WindowSubject<K>[], step: Step) {
      const now = monotonicMs();
      const counts: WindowCount<K>[] = [];
      for (const subject of subjects) {
        const { kind, id } = subject;
        const open = openOf(kind);
        const found = open.get(id);
        const window = found && found.endsAt > now ? found : begin(open, subject, now);
        window.used = Math.max(0, window.used + step);
        counts.push({ kind, used: window.used, msLeft: window.endsAt - now });
      }
      return counts;
    },
  };
}

function begin(open: OpenWindows, { kind, id }: WindowSubject, now: number): Window {
  open.delete(id);
  for (const [old, { endsAt }] of open) {
    if (endsAt > now && open.size < WINDOWS_MAX) break;
    open.delete(old);
  }
  const window = { used: 0, endsAt: now + kind.seconds * 1000 };
  open.set(id, window);
  return window;
}

/**
 * Counted in Redis for all processes, in one round trip. While Redis is away each process counts for itself rather
 * than letting everything through, or nothing.
 */
export const shareWindows = (redis: Redis, own: ProcessWindows): Windows => ({
  add: (subjects, step) => addInRedis(redis, subjects, step).catch(() => own.add(subjects, step)),
});

async function addInRedis<K extends WindowKind>(
  redis: Redis,
  subjects: readonly WindowSubject<K>[],
  step: Step,
): Promise<WindowCount<K>[]> {
  if (subjects.length === 0) return [];
  const commands = redis.multi();
  const named = subjects.map(({ kind, id }) => ({ kind, name: `${kind.name}:${id}` }));
  for (const { name, kind } of named)
    commands.set(name, 0, 'EX', kind.seconds, 'NX').incrby(name, step).pttl(name);
  const answers = (await commands.exec()) ?? [];
  const endless = named.filter((_, n) => numberOf(answers[3 * n + 2]) < 0);
  // A window that ended between the commands was begun again without an end.
  await Promise.all(endless.map(({ name, kind }) => redis.expire(name, kind.seconds)));
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
