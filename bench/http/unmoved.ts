import type pg from 'pg';

/** Who has it moves events to the log; see migration 0063. */
const MOVING = 7242008;

/** Does the work while no process moves events, and moves then what it has told. */
export async function whileNothingMoves<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const session = await pool.connect();
  try {
    await session.query('select pg_advisory_lock($1)', [MOVING]);
    const done = await work();
    await session.query('select pg_advisory_unlock($1)', [MOVING]);
    await moveAll(session);
    return done;
  } finally {
    // With its session the lock ends, whatever has happened.
    session.release(true);
  }
}

/** As the processes that hear of it do too: who comes while another is at it comes again. */
async function moveAll(session: pg.PoolClient): Promise<void> {
  for (let left = true; left; ) {
    await session.query('select events.move(0, 1000)');
    const { rowCount } = await session.query('select from events.outbox limit 1');
    left = rowCount !== 0;
  }
}
