import type { Kysely, Transaction } from 'kysely';
import type { Db } from './db.ts';
import type { DB } from './schema.generated.ts';

const ATTEMPTS = 4;
/** Serialization failure and deadlock: PostgreSQL undid the work and asks for it again. */
const RETRYABLE = new Set(['40001', '40P01']);

/**
 * Runs `work` in one transaction, again when PostgreSQL asks for it. Inside another transaction it
 * joins that one, so a store function may call it without knowing. Nothing external belongs in `work`.
 */
export async function transact<T>(db: Db, work: (tx: Transaction<DB>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Transaction<DB>);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (db as Kysely<DB>).transaction().execute(work);
    } catch (error) {
      if (attempt >= ATTEMPTS || !RETRYABLE.has(sqlState(error) ?? '')) throw error;
    }
  }
}

/** PostgreSQL's five-character error code, when `error` came from it. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
