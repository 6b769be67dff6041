import { type Db, run } from '#kernel/db/db.ts';
import type { CardanoJournalEntry } from './journal.ts';

const PAGE = 200;

/**
 * Counted, and not too deep yet to be taken back; and what the ledger has though the chain has it no more.
 * In the order in which they were signed, after a given one.
 */
export const listOpen = (
  db: Db,
  network: string,
  afterSeq: number,
): Promise<CardanoJournalEntry[]> =>
  run<CardanoJournalEntry>(
    db,
    `(select * from cardano_transactions
      where network = $1 and seq > $2 and state = 'CONFIRMED' and not is_final
      order by seq limit ${PAGE})
     union all
     (select * from cardano_transactions
      where network = $1 and seq > $2 and state <> 'CONFIRMED' and booked_at is not null
      order by seq limit ${PAGE})
     order by seq limit ${PAGE}`,
    [network, afterSeq],
  );

/** Too deep to be taken back. */
export const markFinal = (db: Db, hash: string): Promise<unknown> =>
  run(
    db,
    `update cardano_transactions set is_final = true
     where hash = $1 and state = 'CONFIRMED' and not is_final`,
    [hash],
  );

/** The chain has taken its block back: it is on its way again. False where somebody knew before. */
export async function markTakenBack(db: Db, hash: string): Promise<boolean> {
  const rows = await run(
    db,
    `update cardano_transactions set state = 'SIGNED', confirmed_at = null
     where hash = $1 and state = 'CONFIRMED' and not is_final returning 1`,
    [hash],
  );
  return rows.length > 0;
}

/** How many rows are deleted at a time. */
const BATCH = 1000;

/** Outputs that are spent for good; how many. */
export async function deleteSpent(db: Db, network: string): Promise<number> {
  const rows = await run(
    db,
    `delete from cardano_outputs o using (
       select s.tx_hash, s.index from cardano_outputs s
       join cardano_transactions t on t.hash = s.spent_by and t.is_final
       where s.network = $1 and s.spent_by is not null limit ${BATCH}) gone
     where o.network = $1 and o.tx_hash = gone.tx_hash and o.index = gone.index returning 1`,
    [network],
  );
  return rows.length;
}

/** Transactions signed before then that can change nothing any more; how many. */
export async function deleteEnded(db: Db, network: string, before: Date): Promise<number> {
  const rows = await run(
    db,
    `delete from cardano_transactions where hash in (
       select hash from cardano_transactions t
       where network = $1 and created_at < $2
         and (is_final and booked_at is not null or state = 'LAPSED' and booked_at is null)
         and not exists (select from cardano_outputs o where o.spent_by = t.hash)
       order by created_at limit ${BATCH}) returning 1`,
    [network, before.toISOString()],
  );
  return rows.length;
}
