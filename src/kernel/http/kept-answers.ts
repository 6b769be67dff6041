import type { Kysely } from 'kysely';
import { createBatcher } from '../db/batcher.ts';
import { type Db, run } from '../db/db.ts';
import type { Row } from '../db/row.ts';
import type { DB } from '../db/schema.generated.ts';

/** The end of an attempt, as it is to be written down. */
export interface Kept {
  readonly scope: Buffer;
  readonly lease: string;
  readonly status: number;
  /** Sealed; null where it is not to be told again. */
  readonly answer: string | null;
}

/** Answers of this length are few, and would make a batch long. */
const LONG = 64 * 1024;

/**
 * Keeps the answer of an attempt, in the transaction it is given or else with those that come at the same
 * time. Answers false, with nothing changed, where another attempt has taken over meanwhile.
 */
export function createKeptAnswers(db: Kysely<DB>): (within: Db, kept: Kept) => Promise<boolean> {
  const together = createBatcher<Kept, boolean>({ many: (all) => keepAll(db, all) });
  return async (within, kept) => {
    const isShort = kept.answer === null || kept.answer.length < LONG;
    if (!within.isTransaction && isShort) return together(kept);
    const [isKept = false] = await keepAll(within, [kept]);
    return isKept;
  };
}

/** Again is the same again: a batch whose confirmation was lost is repeated. */
const KEEP = `
  update idempotency_keys as k set status = e.status, answer = e.answer
  from unnest($1::bytea[], $2::uuid[], $3::integer[], $4::text[]) as e (scope, lease, status, answer)
  where k.scope = e.scope and k.lease = e.lease
    and (k.status is null or k.status = e.status and k.answer is not distinct from e.answer)
  returning k.lease`;

async function keepAll(db: Db, all: readonly Kept[]): Promise<boolean[]> {
  const rows = await run<Row<'idempotency_keys', 'lease'>>(db, KEEP, [
    all.map(({ scope }) => scope),
    all.map(({ lease }) => lease),
    all.map(({ status }) => status),
    all.map(({ answer }) => answer),
  ]);
  const kept = new Set(rows.map(({ lease }) => lease));
  return all.map(({ lease }) => kept.has(lease));
}
