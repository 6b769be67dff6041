import { dryRunNow } from '../dry-run.ts';

/** Longer than any posting takes; then the database itself settles who comes first. */
const PATIENCE_MS = 500;

/**
 * Lets postings of this process that share an account go one after the other. They would wait for
 * each other in the database anyway, where a queue of twenty on one row costs several times the
 * work. A turn lasts for the statement only, and the wait for one is bounded: the order that
 * the row locks give stays the only one that correctness rests on.
 */
export function createKeyedMutex(): <T>(
  accounts: readonly number[],
  work: () => Promise<T>,
) => Promise<T> {
  const last = new Map<number, Promise<void>>();
  return async (accounts, work) => {
    // A dry run keeps rows locked that the others may wait for, and waits for no turn.
    if (dryRunNow()) return work();
    const { promise: over, resolve: leave } = Promise.withResolvers<void>();
    // All at once, without a pause in between, so that no two of them can wait for each other.
    const before = accounts.flatMap((account) => last.get(account) ?? []);
    for (const account of accounts) last.set(account, over);
    try {
      if (before.length > 0) await inTime(Promise.all(before));
      return await work();
    } finally {
      leave();
      for (const account of accounts) if (last.get(account) === over) last.delete(account);
    }
  };
}

function inTime(turn: Promise<unknown>): Promise<unknown> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PATIENCE_MS);
  return Promise.race([turn, late]).finally(() => clearTimeout(timer));
}
