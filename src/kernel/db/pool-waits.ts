import type pg from 'pg';
import { monotonicMs } from '#kernel/clock.ts';

type Got = (...answer: readonly unknown[]) => void;

/** Tells of each who asks the pool for a connection how many seconds they waited, also in vain. */
export function timeWaits(pool: Pick<pg.Pool, 'connect'>, tell: (seconds: number) => void): void {
  const connect = pool.connect.bind(pool) as (got?: Got) => Promise<pg.PoolClient>;
  const timed = (got?: Got) => {
    const began = monotonicMs();
    const observe = () => tell((monotonicMs() - began) / 1000);
    if (got === undefined) {
      const client = connect();
      client.then(observe, observe);
      return client;
    }
    return connect((...answer) => {
      observe();
      got(...answer);
    });
  };
  pool.connect = timed as pg.Pool['connect'];
}
