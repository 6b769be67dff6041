import type { Kysely } from 'kysely';
import { createBatcher } from '../../batcher.ts';
import { type Db, run } from '../../db/db.ts';
import type { Row } from '../../db/row.ts';
import type { DB } from '../../db/schema.generated.ts';

/** A claim as it is to be written down. */
export interface NewIdempotencyKey {
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

/** The end of an attempt, as it is to be written down. */
export interface StoredKey {
  readonly scope: Buffer;
  readonly lease: string;
  readonly status: number;
  /** Sealed; null where no repetition may have it. */
  readonly answer: string | null;
}

export interface KeyWrites {
  /**
   * Claims an unused key; answers false for a used one, and changes nothing of it.
   * It waits for no row that stands already: such a row may be held by a transaction of a process that
   * hangs, and would keep all that came with it from their keys.
   */
  claimNew(key: NewIdempotencyKey): Promise<boolean>;
  /**
   * Keeps the answer of an attempt, in the transaction it is given or else with those that come at the same
   * time. Answers false, with nothing changed, where another attempt has taken over meanwhile.
   */
  keep(within: Db, kept: StoredKey): Promise<boolean>;
}

/** Answers of this length are few, and would make a batch long. */
const LONG = 64 * 1024;

/**
 * Claims and answers that are asked for while a statement is under way are written by the next one, together:
 * what costs most of either is its statement and its commit.
 */
export function createKeyWrites(db: Kysely<DB>, terms: () => Terms): KeyWrites {
  const together = createBatcher<NewIdempotencyKey | StoredKey, boolean>({
    many: (all) =>
      db.connection().execute(async (connection) => {
        const keys = all.filter(isNewKey);
        for (const key of keys) key.wasSent = true;
        const done = await write(connection, { keys, answers: all.filter(isKept), terms });
        return all.map(({ lease }) => done.has(lease));
      }),
  });
  return {
    claimNew: together,
    async keep(within, kept) {
      const isShort = kept.answer === null || kept.answer.length < LONG;
      if (!within.isTransaction && isShort) return together(kept);
      return (await write(within, { keys: [], answers: [kept], terms })).has(kept.lease);
    },
  };
}

const isNewKey = (one: NewIdempotencyKey | StoredKey): one is NewIdempotencyKey =>
  'fingerprint' in one;
const isKept = (one: NewIdempotencyKey | StoredKey): one is StoredKey => 'answer' in one;

interface Writes {
  readonly keys: readonly NewIdempotencyKey[];
  readonly answers: readonly StoredKey[];
  terms(): Terms;
}

/** The leases that hold a key now, and those whose answers stand. */
async function write(db: Db, { keys, answers, terms }: Writes): Promise<ReadonlySet<string>> {
  const values = [
    ...(keys.length > 0 ? valuesOfKeys(keys, terms()) : []),
    ...(answers.length > 0 ? valuesOfAnswers(answers) : []),
  ];
  const text = answers.length === 0 ? CLAIM : keys.length === 0 ? KEEP : CLAIM_AND_KEEP;
  const rows = await run<Row<'idempotency_keys', 'lease'>>(db, text, values);
  return new Set(rows.map(({ lease }) => lease));
}

const valuesOfKeys = (
  keys: readonly NewIdempotencyKey[],
  { lease_until, holder, expires_at }: Terms,
) => [
  keys.map(({ scope }) => scope),
  keys.map(({ fingerprint }) => fingerprint),
  keys.map(({ operation }) => operation),
  keys.map(({ lease }) => lease),
  ...[lease_until, holder, expires_at],
];
const KEY_VALUES = 7;

const valuesOfAnswers = (answers: readonly StoredKey[]) => [
  answers.map(({ scope }) => scope),
  answers.map(({ lease }) => lease),
  answers.map(({ status }) => status),
  // Line by line: an array is read character by character, which takes the server ten times as long.
  answers.map(({ answer }) => answer ?? '').join('\n'),
];

/** Functions, for they are planned as probes of an index however small the table was then (migration 0074). */
const CLAIM = 'select claim_keys($1, $2, $3, $4, $5, $6, $7) as lease';
const keepAfter = (n: number) =>
  `select keep_answers($${n + 1}, $${n + 2}, $${n + 3}, $${n + 4}) as lease`;
const KEEP = keepAfter(0);
/** An answer is of a key that was claimed before, so that neither part looks for a row of the other. */
const CLAIM_AND_KEEP = `${CLAIM} union all ${keepAfter(KEY_VALUES)}`;
