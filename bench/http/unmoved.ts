import type pg from 'pg';

/** The lock of the process that moves events to the log; see migration 0063. */
const MOVING = 7242008;

/** Does the work while no process moves events, and then moves its events. */
export async function whileNothingMoves<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const session = await pool.connect();
  try {
    await session.query('select pg_advisory_lock($1)', [MOVING]);
    const done = await work();
    await session.query('select pg_advisory_unlock($1)', [MOVING]);
    await moveAll(session);
    return done;
  } finally {
    // The lock ends with its session in every case.
    session.release(true);
  }
}

/** Like the notified processes: a call during another's pass is repeated. */
async function moveAll(session: pg.PoolClient): Promise<void> {
  for (let left = true; left; ) {
    await session.query('select events.move(0, 1000)');
    const { rowCount } = await session.query('select from events.outbox limit 1');
    left = rowCount !== 0;
  }
}
