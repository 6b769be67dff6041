import { type Attempt, type Attempts, accountOf } from '#kernel/access/attempts.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError, fail } from '#kernel/http/error.ts';

/** Nobody owns so many cards that are declined: they are being tried out. */
const TRIED_OUT = { failures: 20, withinMs: 3600_000 };

/**
 * How many of one user's cards may be under way in a process: none of them has been counted yet, so
 * that this many may be tried out beyond the number above, and no more.
 */
const AT_ONCE = 64;

const attempt = (user_id: number): Attempt => ({
  accounts: [`card ${accountOf(user_id)}`],
  allowance: TRIED_OUT,
});

/** Keeps stolen card numbers from being tried out here. */
export interface Declines {
  /**
   * Does what sends a card of the user's choice to its issuer. Throws RATE_LIMITED without asking
   * anybody once the user has had too many cards declined, or has too many under way.
   */
  watch<T>(user_id: number, work: () => Promise<T>): Promise<T>;
}

interface DeclinesDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly attempts: Attempts;
}

/**
 * Declines are counted in the database, for all processes. That there were too many is remembered by
 * the process that had the last of them, so that good cards cost no statement more.
 */
export function createDeclines({ db, clock, attempts }: DeclinesDeps): Declines {
  /** Until when, in milliseconds, by user. */
  const shut = new Map<number, number>();
  /** How many, by user. */
  const underWay = new Map<number, number>();

  return {
    async watch(user_id, work) {
      admit(user_id);
      underWay.set(user_id, (underWay.get(user_id) ?? 0) + 1);
      try {
        return await work();
      } catch (error) {
        if (error instanceof AppError && error.code === 'CARD_DECLINED') await note(user_id);
        throw error;
      } finally {
        leave(user_id);
      }
    },
  };

  function leave(user_id: number): void {
    const left = (underWay.get(user_id) ?? 1) - 1;
    if (left > 0) underWay.set(user_id, left);
    else underWay.delete(user_id);
  }

  function admit(user_id: number): void {
    const waitMs = (shut.get(user_id) ?? 0) - clock.now().getTime();
    if (waitMs > 0)
      throw fail('RATE_LIMITED', 'Too many declined cards, try again later', {
        retryAfter: Math.ceil(waitMs / 1000),
      });
    shut.delete(user_id);
    if ((underWay.get(user_id) ?? 0) >= AT_ONCE)
      throw fail('RATE_LIMITED', 'Too many cards at once, try again shortly', { retryAfter: 1 });
  }

  async function note(user_id: number): Promise<void> {
    await attempts.fail(db, attempt(user_id));
    try {
      await attempts.admit(db, attempt(user_id));
    } catch (error) {
      if (!(error instanceof AppError) || error.retryAfter === undefined) throw error;
      shut.set(user_id, clock.now().getTime() + error.retryAfter * 1000);
    }
  }
}
