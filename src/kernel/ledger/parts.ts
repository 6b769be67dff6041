import type { Kysely } from 'kysely';
import { type Db, run } from '../db/db.ts';
import type { DB } from '../db/schema.generated.ts';
import { dryRunNow } from '../dry-run.ts';
import { poolOf } from '../transact.ts';
import type { PreparedPosting } from './batch.ts';

/** How many rows an account may have, its own included. */
const PARTS = 16;
/** How many accounts, split or not, the process remembers; beyond that it reads them again. */
const KNOWN_MAX = 10_000;

/**
 * What all move at once, such as what a card network owes us, is one row that every process waits for until
 * the other has committed. An account that may go negative has no balance which a posting must be
 * weighed against, so it may have parts: rows of the same name, one for each process, that are posted to
 * in its place. Its balance is their sum for every reader; an operation means the same in whichever of
 * them, and so has the same key and digest. What is held stays on the account's own row, where it is
 * released.
 */
export interface Parts {
  /** The row that this process moves for an account: its own, until there is a part. */
  rowOf(account: number): number;
  /** Opens this process's part of an account; never within a transaction, which may be undone. */
  open(account: number): Promise<void>;
  /** Opens, without being waited for, parts of what several operations of a batch have moved. */
  seen(batch: readonly PreparedPosting[]): void;
}

const partsOf = new WeakMap<Kysely<DB>, Parts>();

/** From now on postings by this pool go to parts; `number` tells this process from the others. */
export function splitAccounts(db: Kysely<DB>, number: () => number | undefined): Parts {
  // To the account itself where it may not go negative, and while its part is being opened.
  const rows = new Map<number, number>();
  const lane = () => (number() ?? 0) % PARTS;
  const parts: Parts = {
    rowOf: (account) => rows.get(account) ?? account,
    async open(account) {
      const part = lane();
      if (dryRunNow() || part === 0 || rows.has(account)) return;
      if (rows.size >= KNOWN_MAX) rows.clear();
      rows.set(account, account);
      const row = await partRow(db, account, part).catch(() => undefined);
      // Another process has just opened the same: asked again it is found.
      if (row === undefined) rows.delete(account);
      else rows.set(account, row);
    },
    seen(batch) {
      if (lane() === 0) return;
      for (const account of movedByMany(batch)) void parts.open(account);
    },
  };
  partsOf.set(db, parts);
  return parts;
}

/** The batch on the rows that this process moves. */
export function onParts(tx: Db, batch: readonly PreparedPosting[]): readonly PreparedPosting[] {
  const pool = poolOf(tx);
  const parts = pool && partsOf.get(pool);
  if (!parts) return batch;
  if (!dryRunNow()) parts.seen(batch);
  return batch.map((one) => onPartsOf(parts, one));
}

function onPartsOf(parts: Parts, prepared: PreparedPosting): PreparedPosting {
  if (prepared.legs.every(({ account }) => parts.rowOf(account) === account)) return prepared;
  const ids = prepared.legs.map(({ account, held }) => (held ? account : parts.rowOf(account)));
  return { ...prepared, ids, accounts: ids.map((id) => `,${id}`).join('') };
}

function movedByMany(batch: readonly PreparedPosting[]): Set<number> {
  const [once, again] = [new Set<number>(), new Set<number>()];
  for (const { ids } of batch) for (const id of new Set(ids)) (once.has(id) ? again : once).add(id);
  return again;
}

/** The account itself where it has no parts; nothing where another process is just opening it. */
async function partRow(db: Kysely<DB>, account: number, part: number): Promise<number | undefined> {
  const [row] = await run<{ row: number | null }>(
    db,
    `with opened as (
       insert into ledger.accounts (owner, purpose, asset, min_available, part_of, part)
       select owner, purpose, asset, null, account_id, $2 from ledger.accounts
       where account_id = $1 and min_available is null and part = 0 and status = 'open'
         and not exists (select from ledger.accounts where part_of = $1 and part = $2)
       on conflict on constraint accounts_once do nothing
       returning account_id)
     select case when min_available is null then coalesce(
         (select account_id from opened),
         (select account_id from ledger.accounts where part_of = $1 and part = $2))
       else account_id end as row
     from ledger.accounts where account_id = $1`,
    [account, part],
  );
  return row?.row ?? undefined;
}
