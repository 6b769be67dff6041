import type { Kysely, Transaction } from 'kysely';
import type { Db } from './db/db.ts';
import type { DB } from './db/schema.generated.ts';
import { sqlState } from './db/sql-errors.ts';
import { isStalePlan } from './db/stale-plan.ts';
import { notifyCommitted, withEvents } from './events/emit.ts';

const ATTEMPTS = 4;
/** Serialization failure and deadlock: PostgreSQL undid the work and asks for it again. */
const RETRYABLE = new Set(['40001', '40P01']);

/** The pool that each open transaction is of. */
const pools = new WeakMap<object, Kysely<DB>>();

/** Whose transaction it is; nothing where `transact` has not begun it. */
export const poolOf = (db: Db): Kysely<DB> | undefined =>
  db.isTransaction ? pools.get(db) : (db as Kysely<DB>);

/**
 * Runs `work` in one transaction, again when PostgreSQL asks for it. Inside another transaction it
 * joins that one, so a store function may call it without knowing. Nothing external belongs in `work`.
 * What it emits (see `emit`) is written down by its last statement.
 */
export async function transact<T>(db: Db, work: (tx: Transaction<DB>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Transaction<DB>);
  const pool = db as Kysely<DB>;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { result, told, facts } = await pool.transaction().execute((tx) => {
        pools.set(tx, pool);
        return withEvents(tx, work);
      });
      if (told) notifyCommitted(pool, facts);
      return result;
    } catch (error) {
      const again = RETRYABLE.has(sqlState(error) ?? '') || isStalePlan(error);
      if (attempt >= ATTEMPTS || !again) throw error;
    }
  }
}
