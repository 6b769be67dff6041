import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Harness } from '#test/harness.ts';

/** A gate that callers wait at until it is opened. */
export function gate() {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const pass = async () => {
    reached.resolve();
    await opened.promise;
  };
  return { pass, reached: reached.promise, open: opened.resolve };
}

/**
 * Ends when that many requests have reached the service, counted from now, at any speed.
 */
export function arrivals({ app }: Harness, wanted: number): Promise<void> {
  const { server } = app.server;
  const { promise, resolve } = Promise.withResolvers<void>();
  let requests = 0;
  const count = () => {
    requests += 1;
    if (requests < wanted) return;
    server.off('request', count);
    resolve();
  };
  server.on('request', count);
  return promise;
}

/** Ends when a session waits for another transaction's lock. */
export async function untilLockAwaited(h: Harness): Promise<void> {
  const waiting = sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(h.db)).rows.length).toBe(1);
}
