import { type Kysely, sql } from 'kysely';
import type { DB } from '../../db/schema.generated.ts';

/** There is no answer, and the process that was to give it is gone. */
export const IS_ABANDONED = sql<boolean>`(idempotency_keys.status is null
  and idempotency_keys.holder is not null and process_session(idempotency_keys.holder) is null)`;

interface Attempt {
  readonly fingerprint: Buffer;
  readonly operation: string;
  readonly lease: string;
  readonly lease_until: string;
  readonly holder: number | null;
  readonly status: null;
  readonly answer: null;
  readonly expires_at: string;
}

export interface Free {
  readonly at: string;
  /** Leases of attempts that this process knows to have ended. */
  readonly ended: readonly string[];
  /** The lease of an attempt whose process was missed. */
  readonly abandoned: string | undefined;
  /** Fingerprints of the request. */
  readonly known: readonly Buffer[];
}

/**
 * The operation, when this attempt now owns the key: the key was free, has lapsed, or its last attempt
 * never came to an answer, whose operation is then carried on. Whether the process of the `abandoned`
 * one is still missed is asked under the row's lock, so that of many at once one takes over.
 */
export async function claimRow(
  db: Kysely<DB>,
  scope: Buffer,
  mine: Attempt,
  { at, ended, abandoned, known }: Free,
): Promise<string | undefined> {
  const row = await db
    .insertInto('idempotency_keys')
    .values({ scope, ...mine })
    .onConflict((conflict) =>
      conflict
        .column('scope')
        .doUpdateSet({
          ...mine,
          operation: sql<string>`case when idempotency_keys.expires_at <= ${at}
            then excluded.operation else idempotency_keys.operation end`,
        })
        .where(({ or, and, eb }) =>
          or([
            eb('idempotency_keys.expires_at', '<=', at),
            // After a crash the same body may try again, another may not.
            and([
              eb('idempotency_keys.status', 'is', null),
              eb('idempotency_keys.fingerprint', 'in', known),
              or([
                eb('idempotency_keys.lease_until', '<=', at),
                sql<boolean>`idempotency_keys.lease = any(${ended}::uuid[])`,
                and([eb('idempotency_keys.lease', '=', abandoned ?? null), IS_ABANDONED]),
              ]),
            ]),
          ]),
        ),
    )
    .returning('operation')
    .executeTakeFirst();
  return row?.operation;
}
