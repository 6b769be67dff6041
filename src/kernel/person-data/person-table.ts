import type { Selectable } from 'kysely';
import type { Db } from '../db/db.ts';
import type { DB } from '../db/schema.generated.ts';

/**
 * What becomes of a column when its person is erased: it is emptied; it holds `erased-<user_id>`, or each field of its
 * object does; or it is the moment, where it says when something ended.
 */
export type Erasure = 'emptied' | 'numbered' | 'fields' | 'ended';

/** Rows of a person, a batch at a time, as an export shows them. */
export type PersonRows = AsyncIterable<readonly Readonly<Record<string, unknown>>[]>;

export interface ExportedTable {
  readonly columns: readonly string[];
  /** Columns with whole units of money, each with the column that names its asset. */
  readonly money: Readonly<Record<string, string>>;
}

/** What a table holds of a person: what an export shows of it, and what an erasure leaves. */
export interface PersonTable {
  readonly table: keyof DB;
  /** The column that names the person. */
  readonly owner: string;
  /** Or why an export has nothing of it. */
  readonly exported: ExportedTable | string;
  /** By which the rows are read in order; unique for a person, and none of them null. */
  readonly key: readonly string[];
  /** Whole rows, or the columns named. */
  readonly erased: 'rows' | Readonly<Record<string, Erasure>>;
  /** Columns that stay, or all of them, and why. */
  readonly kept: readonly string[] | 'all';
  readonly why: string | undefined;
  /** Further columns with text that says nothing of a person. */
  readonly impersonal: readonly string[];
}

/** A part of an export that is no table, such as the entries of all wallets of a person. */
export interface PersonPart {
  readonly name: string;
  rows(db: Db, user_id: number): PersonRows;
}

/** What a feature holds of people. */
export interface PersonData {
  readonly tables: readonly PersonTable[];
  readonly parts?: readonly PersonPart[];
  /** What is erased in another way; run again after a crash. */
  erase?(db: Db, user_id: number): Promise<void>;
}

type Column<T extends keyof DB> = keyof Selectable<DB[T]> & string;

interface Shown<T extends keyof DB> {
  readonly columns: readonly Column<T>[];
  readonly money?: Readonly<Partial<Record<Column<T>, Column<T>>>>;
}

interface Said<T extends keyof DB> {
  readonly owner?: Column<T>;
  /** Left out where rows are neither exported nor changed. */
  readonly key?: readonly Column<T>[];
  readonly exported: Shown<T> | string;
  readonly erased?: 'rows' | Readonly<Partial<Record<Column<T>, Erasure>>>;
  readonly kept?: readonly Column<T>[] | 'all';
  readonly why?: string;
  readonly impersonal?: readonly Column<T>[];
}

/** Describes one; `test/person-data.test.ts` finds a column with text of which nothing is said. */
export const personTable = <T extends keyof DB>(table: T, said: Said<T>): PersonTable => ({
  table,
  owner: said.owner ?? 'user_id',
  key: said.key ?? [],
  exported:
    typeof said.exported === 'string'
      ? said.exported
      : { ...said.exported, money: (said.exported.money ?? {}) as Record<string, string> },
  erased: (said.erased ?? {}) as PersonTable['erased'],
  kept: said.kept ?? [],
  why: said.why,
  impersonal: said.impersonal ?? [],
});

/** Why records of money stay, under the number of the account. */
export const KEPT_BY_LAW =
  'The law has payments recorded with payer and payee, for years after an account is closed';
export const SHORT_LIVED = 'It is deleted within days by its age';
export const TOLD_ELSEWHERE = 'The things that it is about are parts of their own';
export const FOR_ONE_STEP =
  'It serves one step of a log-in or a change, and means nothing after it';
export const A_SECRET = 'It is a secret, or the seal of one';
