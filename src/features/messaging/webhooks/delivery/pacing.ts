/** The pace of one endpoint: slower while it answers that it is overloaded, as Retry-After says. */
export interface Pacing {
  /** Deliveries that may be in flight now. */
  readonly limit: number;
  /** Counts a request against the second's limit; false where none is left. */
  take(now: Date): boolean;
  /** Whether the endpoint has asked for a pause. */
  isResting(now: Date): boolean;
  succeeded(): void;
  overloaded(until: Date): void;
}

export interface WebhookPace {
  readonly concurrency: number;
  /** Requests a second; null for no limit. */
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
    // One more for each full round of successes.
    succeeded() {
      limit = Math.min(concurrency, limit + 1 / Math.max(1, limit));
    },
    overloaded(until) {
      limit = Math.max(1, limit / 2);
      restUntil = Math.max(restUntil, until.getTime());
    },
  };
}
