import type { Kysely } from 'kysely';
import { createBatcher } from '../db/batcher.ts';
import { type Db, run } from '../db/db.ts';
import type { Row } from '../db/row.ts';
import type { DB } from '../db/schema.generated.ts';

/** A claim as it is to be written down. */
export interface NewKey {
  readonly scope: Buffer;
  readonly fingerprint: Buffer;
  readonly operation: string;
  readonly lease: string;
  /** Whether the database may have heard of it. */
  wasSent: boolean;
}

/** What the claims of a batch have in common. */
export interface Terms {
  readonly lease_until: string;
  readonly holder: number | null;
  readonly expires_at: string;
}

/**
 * Claims a key that nobody has used yet; answers false where somebody has, of whom nothing is changed.
 * Keys that are asked for while a statement is under way are claimed by the next one. None of them waits
 * for a row that stands already: such a row may be held by a transaction of a process that hangs, and
 * would keep all that came with it from their keys.
 */
export function createNewKeys(
  db: Kysely<DB>,
  terms: () => Terms,
): (key: NewKey) => Promise<boolean> {
  return createBatcher<NewKey, boolean>({
    many: (keys) =>
      db.connection().execute(async (connection) => {
        for (const key of keys) key.wasSent = true;
        const claimed = await insertNewKeys(connection, keys, terms());
        return keys.map(({ lease }) => claimed.has(lease));
      }),
  });
}

/** In one order for all processes, or two of them could wait for each other; of a key the first has it. */
const INSERT = `
  insert into idempotency_keys (scope, fingerprint, operation, lease, lease_until, holder, expires_at)
  select scope, fingerprint, operation, lease, $5::timestamptz, $6::integer, $7::timestamptz
  from unnest($1::bytea[], $2::bytea[], $3::uuid[], $4::uuid[])
    with ordinality as asked (scope, fingerprint, operation, lease, nth)
  where not exists (select from idempotency_keys as known where known.scope = asked.scope)
  order by scope, nth
  on conflict (scope) do nothing
  returning lease`;

/** The leases that hold a key now. */
async function insertNewKeys(
  db: Db,
  keys: readonly NewKey[],
  { lease_until, holder, expires_at }: Terms,
): Promise<ReadonlySet<string>> {
  const rows = await run<Row<'idempotency_keys', 'lease'>>(db, INSERT, [
    keys.map(({ scope }) => scope),
    keys.map(({ fingerprint }) => fingerprint),
    keys.map(({ operation }) => operation),
    keys.map(({ lease }) => lease),
    lease_until,
    holder,
    expires_at,
  ]);
  return new Set(rows.map(({ lease }) => lease));
}
