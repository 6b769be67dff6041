import type { Clock } from '#kernel/clock.ts';
import type { Outcome } from '#kernel/provider-call.ts';

/** Answers that are good for a while, asked for once however many want them at the same moment. */
export interface BriefCache<T> {
  has(key: string): boolean;
  get(key: string, ask: () => Promise<Outcome<T>>): Promise<Outcome<T>>;
}

/** Of these the oldest are forgotten first; what failed is not kept. */
export function createBriefCache<T>(
  clock: Clock,
  { keptMs, most }: { readonly keptMs: number; readonly most: number },
): BriefCache<T> {
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
