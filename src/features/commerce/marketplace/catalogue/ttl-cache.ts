import type { Clock } from '#kernel/clock.ts';
import { refuseDryRun } from '#kernel/dry-run.ts';
import type { Outcome } from '#kernel/provider-call.ts';

/** Answers that are valid for a while; concurrent callers share one request. */
export interface TtlCache<T> {
  has(key: string): boolean;
  get(key: string, ask: () => Promise<Outcome<T>>): Promise<Outcome<T>>;
}

/** Evicts the oldest answers first, and keeps no failures. */
export function createTtlCache<T>(
  clock: Clock,
  { keptMs, most }: { readonly keptMs: number; readonly most: number },
): TtlCache<T> {
  const kept = new Map<string, { readonly until: number; readonly answer: Promise<Outcome<T>> }>();
  const find = (key: string) => {
    const found = kept.get(key);
    return found && found.until > clock.now().getTime() ? found.answer : undefined;
  };
  return {
    has: (key) => find(key) !== undefined,
    get(key, ask) {
      const known = find(key);
      if (known) return known;
      refuseDryRun('marketplace catalogue');
      const answer = ask();
      const entry = { until: clock.now().getTime() + keptMs, answer };
      kept.delete(key);
      kept.set(key, entry);
      const forget = () => {
        if (kept.get(key) === entry) kept.delete(key);
      };
      answer.then(({ kind }) => kind === 'done' || forget(), forget);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return answer;
    },
  };
}
