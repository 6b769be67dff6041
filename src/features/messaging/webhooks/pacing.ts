/** How much an endpoint takes at a time: less while it says that it is overloaded, as Retry-After asks. */
export interface Pacing {
  /** So many may be under way now. */
  readonly limit: number;
  /** Takes one of the second's requests; false where there is none left. */
  take(now: Date): boolean;
  /** Whether it wants to be left alone. */
  isResting(now: Date): boolean;
  succeeded(): void;
  overloaded(until: Date): void;
}

export interface WebhookPace {
  readonly concurrency: number;
  /** A second; null is without. */
  readonly rate_limit: number | null;
}

export function createPacing({ concurrency, rate_limit }: WebhookPace): Pacing {
  let limit = concurrency;
  let restUntil = 0;
  let second = 0;
  let taken = 0;
  return {
    get limit() {
      return Math.max(1, Math.floor(limit));
    },
    take(now) {
      if (rate_limit === null) return true;
      const current = Math.floor(now.getTime() / 1000);
      if (current !== second) [second, taken] = [current, 0];
      if (taken >= rate_limit) return false;
      taken += 1;
      return true;
    },
    isResting: (now) => now.getTime() < restUntil,
    // Back by one for each full round that went well.
    succeeded() {
      limit = Math.min(concurrency, limit + 1 / Math.max(1, limit));
    },
    overloaded(until) {
      limit = Math.max(1, limit / 2);
      restUntil = Math.max(restUntil, until.getTime());
    },
  };
}
