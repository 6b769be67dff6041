import { createHash, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/db.ts';
import type { DB } from '../db/schema.generated.ts';
import type { Vault } from '../secrets/vault.ts';
import { fail } from './error.ts';

/** How long an answer is kept (decisions: Shapes). */
const KEPT_MS = 24 * 3600 * 1000;
/** Longer than any request may run; after it a crashed attempt is taken over. */
const LEASE_MS = 120_000;
export const IDEMPOTENCY_KEY_MAX = 255;

export interface StoredAnswer {
  readonly status: number;
  readonly type: string;
  readonly payload: string;
}
export interface Claim {
  readonly scope: Buffer;
  readonly lease: string;
  /** Names the operation, the same for every attempt under this key. */
  readonly operation: string;
}
export interface IdempotentRequest {
  readonly key: string;
  /** API key, user, method and path: whose key this is. */
  readonly owner: string;
  readonly body: string;
}

export interface Idempotency {
  /** This attempt's claim, or the answer that an earlier one has stored. Throws 409 and 422. */
  claim(request: IdempotentRequest): Promise<Claim | StoredAnswer>;
  /** Keeps the answer, in the transaction of the effect where there is one. */
  keep(db: Db, claim: Claim, answer: StoredAnswer): Promise<void>;
  /** Lets the key be used again: nothing was decided. */
  release(claim: Claim): Promise<void>;
  /** Forgets what is older than a day; a schedule calls it. */
  prune(): Promise<void>;
}

interface IdempotencyDeps {
  readonly db: Kysely<DB>;
  readonly vault: Vault;
  readonly clock: Clock;
}

/** `Idempotency-Key` as the decisions settle it; answers are sealed, since some hold secrets. */
export function createIdempotency({ db, vault, clock }: IdempotencyDeps): Idempotency {
  const later = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();

  return {
    async claim({ key, owner, body }) {
      const scope = vault.fingerprint(`${owner}\n${key}`, 'idempotency scope');
      const fingerprint = vault.fingerprint(body, 'idempotency body');
      const mine = {
        fingerprint,
        lease: randomUUID(),
        lease_until: later(LEASE_MS),
        status: null,
        answer: null,
        expires_at: later(KEPT_MS),
      };
      const taken = await take(db, scope, mine, clock.now().toISOString());
      if (taken) return { scope, lease: mine.lease, operation: operationOf(scope) };
      return earlier(scope, fingerprint);
    },

    async keep(within, { scope, lease }, answer) {
      const { numUpdatedRows } = await within
        .updateTable('idempotency_keys')
        .set({
          status: answer.status,
          answer: vault.seal(JSON.stringify(answer), contextOf(scope)),
        })
        .where('scope', '=', scope)
        .where('lease', '=', lease)
        .where('status', 'is', null)
        .executeTakeFirst();
      // Somebody took over while this attempt was stuck: its effect must not be kept as well.
      if (numUpdatedRows !== 1n)
        throw fail('IDEMPOTENCY_IN_PROGRESS', 'This request was taken over by another attempt');
    },

    async release({ scope, lease }) {
      await db
        .deleteFrom('idempotency_keys')
        .where('scope', '=', scope)
        .where('lease', '=', lease)
        .where('status', 'is', null)
        .execute();
    },

    async prune() {
      await db
        .deleteFrom('idempotency_keys')
        .where('expires_at', '<=', clock.now().toISOString())
        .execute();
    },
  };

  async function earlier(scope: Buffer, fingerprint: Buffer): Promise<StoredAnswer> {
    const row = await db
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'answer'])
      .where('scope', '=', scope)
      .executeTakeFirst();
    if (row && !row.fingerprint.equals(fingerprint))
      throw fail('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another body');
    if (!row?.answer)
      throw fail('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is in progress', {
        retryAfter: 1,
      });
    return JSON.parse(vault.open(row.answer, contextOf(scope))) as StoredAnswer;
  }
}

interface Attempt {
  readonly fingerprint: Buffer;
  readonly lease: string;
  readonly lease_until: string;
  readonly status: null;
  readonly answer: null;
  readonly expires_at: string;
}

/** Whether this attempt now owns the key: it was free, has lapsed, or its last attempt never ended. */
async function take(db: Kysely<DB>, scope: Buffer, mine: Attempt, at: string): Promise<boolean> {
  const row = await db
    .insertInto('idempotency_keys')
    .values({ scope, ...mine })
    .onConflict((conflict) =>
      conflict
        .column('scope')
        .doUpdateSet(mine)
        .where(({ or, and, eb }) =>
          or([
            eb('idempotency_keys.expires_at', '<=', at),
            // After a crash the same body may try again, another may not.
            and([
              eb('idempotency_keys.status', 'is', null),
              eb('idempotency_keys.lease_until', '<=', at),
              eb('idempotency_keys.fingerprint', '=', mine.fingerprint),
            ]),
          ]),
        ),
    )
    .returning('lease')
    .executeTakeFirst();
  return row !== undefined;
}

const contextOf = (scope: Buffer): string => `idempotency:${scope.toString('hex')}`;

/** A UUID made of the scope, so that a second attempt after a crash names the same operation. */
function operationOf(scope: Buffer): string {
  const hex = createHash('sha256').update(scope).update('operation').digest('hex');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
