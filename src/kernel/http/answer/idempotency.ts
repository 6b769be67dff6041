import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { fail } from '#kernel/error.ts';
import type { Clock } from '../../clock.ts';
import type { Db } from '../../db/db.ts';
import { deleteInBatches } from '../../db/in-batches.ts';
import type { Liveness } from '../../db/liveness.ts';
import type { DB } from '../../db/schema.generated.ts';
import { isDatabaseUnavailable } from '../../db/sql-errors.ts';
import type { Logger } from '../../log.ts';
import type { SealedKind } from '../../secrets/sealed.ts';
import type { Vault } from '../../secrets/vault.ts';
import { openForCaller, sealForCaller } from './caller-seal.ts';
import { claimRow, type Free, IS_ABANDONED } from './claim-row.ts';
import { createEndedAttempts, type EndedAttempts } from './ended-attempts.ts';
import {
  createKeyWrites,
  type KeyWrites,
  type NewIdempotencyKey,
  type StoredKey,
} from './key-writes.ts';

/** How long an answer is kept (decisions: Shapes). */
const KEPT_MS = 24 * 3600 * 1000;
/** Longer than any request may run; after it an attempt that hangs is taken over. */
const LEASE_MS = 120_000;
/**
 * How long a process must be missed before its attempts are taken over: one that only lost its
 * connection is back by then (see lasting.ts), and what a dead one had on its way has arrived.
 */
const MISSED_MS = 1500;
export const IDEMPOTENCY_KEY_MAX = 255;

export interface StoredAnswer {
  readonly status: number;
  readonly type: string;
  readonly payload: string;
  /** Set again with it; only of one that is sealed for its caller. */
  readonly cookie?: string;
}
export interface Claim {
  readonly scope: Buffer;
  readonly lease: string;
  /** Names the operation, the same for every attempt under this key. */
  readonly operation: string;
  /** The request's. */
  readonly secret?: string | undefined;
}
export interface IdempotentRequest {
  readonly key: string;
  /** Whose key this is, see `claimOf`. */
  readonly owner: string;
  /** What it asks for, the same for every order of its fields. */
  readonly body: string;
  /** The same as it came: answers of the version before are known by it, for a day after an update. */
  readonly raw: string;
  /** A secret of the sender alone, see `callerSecretOf`. It seals an answer that holds a secret. */
  readonly secret?: string | undefined;
}

export interface Idempotency {
  /**
   * This attempt's claim, or the answer that an earlier one has stored. Throws 409, also where the
   * answer holds a secret that this request does not open, and 422.
   */
  claim(request: IdempotentRequest): Promise<Claim | StoredAnswer>;
  /** Keeps the answer, in the transaction of the effect where there is one. */
  keep(db: Db, claim: Claim, answer: StoredAnswer): Promise<void>;
  /**
   * Keeps an answer that may hold a secret so that only a repetition with the request's own secret opens it;
   * without one, keeps only that it was answered.
   */
  keepSealed(db: Db, claim: Claim, answer: StoredAnswer): Promise<void>;
  /**
   * Lets the key be used again: nothing was decided. Never rejects; answers false when the database is
   * away, and does it as soon as that is back.
   */
  release(claim: Claim): Promise<boolean>;
  /** Forgets what is older than a day; a schedule calls it. */
  prune(): Promise<void>;
  /** Gives back no more keys: the process ends. */
  close(): void;
}

interface IdempotencyDeps {
  readonly db: Kysely<DB>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Logger;
  readonly presence: Pick<Liveness, 'number' | 'query'>;
}
interface Desk extends IdempotencyDeps {
  readonly ended: EndedAttempts;
  readonly writes: KeyWrites;
}

/** `Idempotency-Key` as the decisions settle it; answers are sealed, since they are people's own. */
export function createIdempotency(deps: IdempotencyDeps): Idempotency {
  const { db, vault, clock, presence, log } = deps;
  const ended = createEndedAttempts({ presence, log, leaseMs: LEASE_MS });
  const writes = createKeyWrites(db, () => termsOf(deps));
  const desk = { ...deps, ended, writes };
  const close = closing(writes);
  return {
    claim: ({ key, owner, body, raw, secret }) =>
      claim(desk, {
        scope: vault.fingerprint(`${owner}\n${key}`, 'idempotency scope'),
        fingerprint: vault.fingerprint(body, 'idempotency canonical body'),
        rawFingerprint: () => vault.fingerprint(raw, 'idempotency body'),
        secret,
      }),

    keep: (within, { scope, lease }, answer) => {
      const sealed = vault.seal(JSON.stringify(answer), contextOf(scope));
      return close(within, { scope, lease, status: answer.status, answer: sealed });
    },

    keepSealed: (within, { scope, lease, secret }, answer) => {
      const { status } = answer;
      if (secret === undefined) return close(within, { scope, lease, status, answer: null });
      const forCaller = sealForCaller(JSON.stringify(answer), secret, contextOf(scope));
      const sealed = vault.seal(JSON.stringify({ forCaller }), contextOf(scope));
      return close(within, { scope, lease, status, answer: sealed });
    },

    release: ({ scope, lease }) => ended.add({ scope, lease, held: true }),

    prune: () =>
      deleteInBatches(db, 'idempotency_keys', 'expires_at <= $1', [clock.now().toISOString()]),

    close: () => ended.close(),
  };
}

const closing =
  ({ keep }: KeyWrites) =>
  async (within: Db, kept: StoredKey): Promise<void> => {
    // Another attempt took over while this one was stuck: its effect must not be kept as well.
    if (!(await keep(within, kept)))
      throw fail('IDEMPOTENCY_IN_PROGRESS', 'This request was taken over by another attempt');
  };

/** What a claim that is made now says besides its key. */
function termsOf({ clock, presence }: Pick<IdempotencyDeps, 'clock' | 'presence'>) {
  const now = clock.now();
  const later = (ms: number) => new Date(now.getTime() + ms).toISOString();
  const holder = presence.number ?? null;
  return { holder, lease_until: later(LEASE_MS), expires_at: later(KEPT_MS) };
}

interface Keyed {
  readonly scope: Buffer;
  readonly fingerprint: Buffer;
  /** As it was made of a body before bodies were made canonical. */
  rawFingerprint(): Buffer;
  readonly secret: string | undefined;
}
interface Abandoned {
  /** The lease of the attempt. */
  readonly abandoned: string;
}

async function claim(deps: Desk, request: Keyed): Promise<Claim | StoredAnswer> {
  const mine = await take(deps, request);
  if (mine) return mine;
  const found = await earlier(deps, request);
  if ('payload' in found) return found;
  await sleep(MISSED_MS);
  const taken = await take(deps, request, found.abandoned);
  if (taken) return taken;
  const others = await earlier(deps, request);
  if ('payload' in others) return others;
  throw inProgress();
}

async function take(desk: Desk, keyed: Keyed, abandoned?: string): Promise<Claim | undefined> {
  const { scope, fingerprint, secret } = keyed;
  const names = { operation: randomUUID(), lease: randomUUID() };
  const mine = { scope, fingerprint, ...names, wasSent: false };
  const { lease } = mine;
  try {
    if (abandoned === undefined && (await desk.writes.claimNew(mine)))
      return { scope, lease, operation: mine.operation, secret };
    const operation = await takeOver(desk, mine, { abandoned, known: knownOf(keyed) });
    return operation === undefined ? undefined : { scope, lease, operation, secret };
  } catch (error) {
    // It may have been taken all the same, with no attempt left to release it.
    if (mine.wasSent && isDatabaseUnavailable(error))
      await desk.ended.add({ scope, lease, held: false });
    throw error;
  }
}

/** The fingerprints that a row of this request may have. */
const knownOf = ({ fingerprint, rawFingerprint }: Keyed): readonly Buffer[] => [
  fingerprint,
  rawFingerprint(),
];

/** Of a key that was used before, when it is free for this attempt. */
function takeOver(
  { db, ended, ...deps }: Desk,
  mine: NewIdempotencyKey,
  { abandoned, known }: Pick<Free, 'abandoned' | 'known'>,
): Promise<string | undefined> {
  const { scope, fingerprint, operation, lease } = mine;
  // Its own is there where the answer to the claim got lost.
  const free = {
    at: deps.clock.now().toISOString(),
    ended: [...ended.of(scope), lease],
    abandoned,
    known,
  };
  const attempt = { fingerprint, operation, lease, ...termsOf(deps), status: null, answer: null };
  return db.connection().execute((connection) => {
    mine.wasSent = true;
    return claimRow(connection, scope, attempt, free);
  });
}

/** The answer, or the attempt whose process is missed. Throws 409 while there is neither. */
async function earlier(
  { db, vault }: IdempotencyDeps,
  keyed: Keyed,
): Promise<StoredAnswer | Abandoned> {
  const { scope, secret } = keyed;
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'answer', 'lease', IS_ABANDONED.as('is_abandoned')])
    .where('scope', '=', scope)
    .executeTakeFirst();
  if (row && !knownOf(keyed).some((known) => row.fingerprint.equals(known)))
    throw fail('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another body');
  if (row?.is_abandoned) return { abandoned: row.lease };
  if (row && row.status !== null && row.answer === null) throw notKept();
  if (!row?.answer) throw inProgress();
  const kept = JSON.parse(vault.open(row.answer, contextOf(scope))) as StoredAnswer | ForCaller;
  if (!('forCaller' in kept)) return kept;
  const opened = openForCaller(kept.forCaller, secret, contextOf(scope));
  if (opened === undefined) throw notKept();
  return JSON.parse(opened) as StoredAnswer;
}

/** An answer within the vault's seal that is sealed for its caller, too. */
interface ForCaller {
  readonly forCaller: string;
}

const inProgress = () =>
  fail('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is in progress', {
    retryAfter: 1,
  });

const notKept = () =>
  fail(
    'IDEMPOTENCY_ANSWER_NOT_KEPT',
    'The request with this Idempotency-Key was carried out. Its answer held a secret, which this request does ' +
      'not open: if it did not reach you, send the request with another Idempotency-Key',
  );

const contextOf = (scope: Buffer): string => `idempotency:${scope.toString('hex')}`;

/** What repetitions are answered with. */
export const SEALED_ANSWERS: SealedKind = {
  what: 'answers kept for repetitions',
  text: `select answer as sealed, 'idempotency:' || encode(scope, 'hex') as context, null::bytea as mark
    from idempotency_keys where answer is not null`,
};
