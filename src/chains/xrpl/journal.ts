import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type XrplStatus = 'PENDING' | 'VALIDATED' | 'FAILED' | 'EXPIRED';

/** A transaction that we signed, in any state. */
export type JournalRow = Omit<Row<'xrpl_journal'>, 'status'> & { readonly status: XrplStatus };

export type NewJournalRow = Pick<
  JournalRow,
  | 'reference'
  | 'purpose'
  | 'account'
  | 'sequence'
  | 'hash'
  | 'blob'
  | 'first_ledger'
  | 'last_ledger'
>;

/** The latest of that name: the living one, or the last one that expired. */
export async function findXrplLedgerByReference(
  db: Db,
  reference: string,
): Promise<JournalRow | undefined> {
  const [row] = await run<JournalRow>(
    db,
    `select * from xrpl_journal where reference = $1 and status <> 'EXPIRED'
     union all
     (select * from xrpl_journal where reference = $1 and status = 'EXPIRED'
      order by journal_id desc limit 1)
     limit 1`,
    [reference],
  );
  return row;
}

/** What the transaction of that hash is called, also one that has expired; nothing when it is none of ours. */
export async function xrplLedgerReferenceOf(db: Db, hash: string): Promise<string | undefined> {
  const [row] = await run<Pick<JournalRow, 'reference'>>(
    db,
    'select reference from xrpl_journal where hash = upper($1)',
    [hash],
  );
  return row?.reference;
}

/** Holds the account's queue until the transaction ends: sequence numbers are given out one by one. */
export async function lockAccount(tx: Db, account: string): Promise<void> {
  await run(tx, `select pg_advisory_xact_lock(hashtextextended('xrpl ' || $1::text, 0))`, [
    account,
  ]);
}

const EARLIER_MAX = 50;

/** What of the same account has a lower sequence number and is in no ledger yet, in order. */
export const pendingBefore = (
  db: Db,
  { account, sequence }: Pick<JournalRow, 'account' | 'sequence'>,
): Promise<JournalRow[]> =>
  run(
    db,
    `select * from xrpl_journal
     where account = $1 and sequence < $2 and status = 'PENDING'
     order by sequence limit ${EARLIER_MAX}`,
    [account, sequence],
  );

/** How far behind the journal the ledger may be. */
const PENDING_MAX = 1000;

/**
 * The lowest sequence number from `floor` on that nothing living has: one that an expired transaction
 * leaves behind comes first, or all after it would wait for ever. Under the account's lock.
 */
export async function freeSequence(tx: Db, account: string, floor: number): Promise<number> {
  const [row] = await run<{ sequence: number }>(
    tx,
    `select s.sequence::integer as sequence
     from generate_series($2::bigint, $2::bigint + $3) s (sequence)
     where not exists (
       select from xrpl_journal j
       where j.account = $1 and j.sequence = s.sequence and j.status <> 'EXPIRED')
     order by s.sequence limit 1`,
    [account, floor, PENDING_MAX],
  );
  if (!row) throw new Error(`More than ${PENDING_MAX} transactions of ${account} are under way`);
  return row.sequence;
}

export async function insertSignedXrpl(tx: Db, signed: NewJournalRow): Promise<JournalRow> {
  const row = await tx
    .insertInto('xrpl_journal')
    .values(signed)
    .returningAll()
    .executeTakeFirstOrThrow();
  return row as JournalRow;
}

/** Where a transaction has ended. */
export interface EndedTransaction {
  readonly status: 'VALIDATED' | 'FAILED';
  readonly result: string;
  readonly ledger_index: number;
  readonly delivered: bigint | null;
  readonly response: string;
}

/** Writes down how it ended; answers the recorded end, also where another process was first. */
export async function endSigned(
  db: Db,
  row: JournalRow,
  ended: EndedTransaction,
): Promise<JournalRow> {
  const { status, result, ledger_index, delivered, response } = ended;
  await run(
    db,
    `update xrpl_journal
     set status = $2, result = $3, ledger_index = $4, delivered = $5, response = $6,
       ended_at = service_now()
     where journal_id = $1 and status = 'PENDING'`,
    [row.journal_id, status, result, ledger_index, delivered, response],
  );
  return existing(db, row);
}

/** No ledger has it, and none will. */
export async function expireSigned(db: Db, row: JournalRow): Promise<JournalRow> {
  await run(
    db,
    `update xrpl_journal set status = 'EXPIRED', ended_at = service_now()
     where journal_id = $1 and status = 'PENDING'`,
    [row.journal_id],
  );
  return existing(db, row);
}

/** How many rows are changed at a time. */
const BATCH = 1000;

/**
 * Of what ended 90 days ago the reference, the hash and the result stay, so that nothing is made twice; what was
 * signed and what the ledger said of it in full go. What has expired goes whole: it is as if it were never signed.
 * Answers how many.
 */
export async function forgetXrplLedgerEnded(db: Db): Promise<number> {
  const rows = await run(
    db,
    `with old as (
       select journal_id, status from xrpl_journal
       where ended_at < service_now() - interval '90 days' and blob <> ''
       order by ended_at limit ${BATCH}),
     expired as (
       delete from xrpl_journal j using old
       where old.status = 'EXPIRED' and j.journal_id = old.journal_id returning 1),
     emptied as (
       update xrpl_journal j set blob = '', response = null from old
       where old.status <> 'EXPIRED' and j.journal_id = old.journal_id returning 1)
     select from expired union all select from emptied`,
    [],
  );
  return rows.length;
}

async function existing(db: Db, { journal_id }: JournalRow): Promise<JournalRow> {
  const [row] = await run<JournalRow>(db, 'select * from xrpl_journal where journal_id = $1', [
    journal_id,
  ]);
  if (!row) throw new Error(`The journal has no row ${journal_id}`);
  return row;
}
