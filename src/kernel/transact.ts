import type { Kysely, Transaction } from 'kysely';
import { noteActed } from './cause.ts';
import type { Db } from './db/db.ts';
import type { DB } from './db/schema.generated.ts';
import { sqlState } from './db/sql-errors.ts';
import { isStalePlan } from './db/stale-plan.ts';
import { dryRunNow } from './dry-run.ts';
import { notifyCommitted, withEvents } from './events/emit.ts';
import { conflictShown, keepNames, takesNamesOver } from './events/object-names.ts';

const ATTEMPTS = 4;
/** Serialization failure and deadlock: PostgreSQL rolled the work back and asks for a retry. */
const RETRYABLE = new Set(['40001', '40P01']);

/** The pool of each open transaction. */
const pools = new WeakMap<object, Kysely<DB>>();

/** The pool of a transaction; undefined where `transact` has not begun it. */
export const poolOf = (db: Db): Kysely<DB> | undefined =>
  db.isTransaction ? pools.get(db) : (db as Kysely<DB>);

function committed(pool: Kysely<DB>, { hasEvents, facts, names }: Committed): void {
  keepNames(names);
  noteActed();
  if (hasEvents) notifyCommitted(pool, facts);
}

type Committed = Omit<Awaited<ReturnType<typeof withEvents>>, 'result'>;

/**
 * Runs `work` in one transaction, and retries it when PostgreSQL asks for that. Inside another transaction it
 * joins that one, so a store function may call it without knowing. Nothing external belongs in `work`.
 * Its last statement writes the events that it emits (see `emit`).
 */
export async function transact<T>(db: Db, work: (tx: Transaction<DB>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Transaction<DB>);
  const pool = db as Kysely<DB>;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { result, hasEvents, facts, names } = await pool.transaction().execute((tx) => {
        pools.set(tx, pool);
        return withEvents(tx, work);
      });
      const dry = dryRunNow();
      if (dry) dry.notes.events.push(...facts.map(({ type }) => type));
      else committed(pool, { hasEvents, facts, names });
      return result;
    } catch (error) {
      const isPassing = RETRYABLE.has(sqlState(error) ?? '') || isStalePlan(error);
      const again = isPassing || (await takesNamesOver(pool, error));
      if (attempt >= ATTEMPTS || !again) throw conflictShown(error);
    }
  }
}
