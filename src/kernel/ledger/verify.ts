import { randomInt } from 'node:crypto';
import { type Db, run } from '../db/db.ts';
import { type HoldOwner, orphanHolds } from './holds.ts';
import {
  ACCOUNT_RULES,
  type Rule,
  SAME_TRANSFERS,
  SOUND_TRANSFERS,
  STANDING_RULES,
  SUSPECT_ACCOUNTS,
  SUSPECT_TRANSFERS,
  TRANSFER_RULES,
} from './verify-rules.ts';

export interface Broken {
  readonly rule: string;
  /** The first of them. */
  readonly breaks: string[];
}

export interface Verification {
  readonly accounts: number;
  readonly transfers: number;
  readonly entries: number;
  /** Empty when the ledger is sound; else the rules that are broken, each with its first breaks. */
  readonly broken: readonly Broken[];
  readonly rules: number;
}

const SHOWN = 5;
const SUSPECTS_MAX = 1000;
/** So many transfers are looked at together: their sums fit into the memory that is asked for. */
const TRANSFERS_AT_ONCE = 400_000;
/**
 * One statement may use that much of the machine; no request waits for it. None is shared out to workers: what each of them
 * has gathered by account costs several times as much to put together.
 */
const ROOM = `set local work_mem = '192MB'; set local max_parallel_workers_per_gather = 0;
  set local statement_timeout = 0`;

/**
 * Recomputes the whole ledger from its entries while postings go on, and asks the owners of holds for each hold. Every statement sees one moment, and each
 * ends within a part of the whole, so that the database can go on to tidy up behind the postings.
 */
export async function verifyLedger(db: Db, owners?: readonly HoldOwner[]): Promise<Verification> {
  const [found, { transfers, is_same }] = await Promise.all([
    suspectAccounts(db),
    sameTransfers(db),
  ]);
  const { accounts, entries, suspects, isOff } = found;
  const broken = [
    ...(isOff || !is_same ? await brokenOf(db, TRANSFER_RULES, await suspectTransfers(db)) : []),
    ...(await brokenOf(db, ACCOUNT_RULES, suspects)),
    ...(await brokenOf(db, STANDING_RULES)),
    ...(owners ? await brokenHolds(db, owners) : []),
  ];
  const rules =
    TRANSFER_RULES.length + ACCOUNT_RULES.length + STANDING_RULES.length + (owners ? 1 : 0);
  return { accounts, transfers, entries, broken, rules };
}

/** Money that is set aside for nothing that is open, or for two things. */
export async function brokenHolds(db: Db, owners: readonly HoldOwner[]): Promise<Broken[]> {
  const breaks = await orphanHolds(db, owners);
  return breaks.length === 0 ? [] : [{ rule: 'every hold has one open owner', breaks }];
}

/** Of those rules, the ones that are broken by these accounts or transfers. */
export async function brokenOf(
  db: Db,
  rules: readonly Rule[],
  suspects?: readonly number[],
): Promise<Broken[]> {
  if (suspects?.length === 0) return [];
  const broken: Broken[] = [];
  for (const { rule, breaks } of rules) {
    const text = `select found from (${breaks}) b(found) limit ${SHOWN}`;
    const rows = await roomy(db, (tx) =>
      run<{ found: string }>(tx, text, suspects === undefined ? [] : [suspects]),
    );
    if (rows.length > 0) broken.push({ rule, breaks: rows.map(({ found }) => found) });
  }
  return broken;
}

interface Suspects {
  readonly suspects: number[] | null;
}

interface OfAsset extends Pick<Verification, 'accounts' | 'entries'> {
  readonly suspects: readonly number[];
  /** A transfer may not sum to zero in it, or an entry be of no account. */
  readonly is_off: boolean;
}

async function suspectAccounts(db: Db) {
  const seed = randomInt(2 ** 47);
  const assets = await roomy(db, (tx) => run<OfAsset>(tx, SUSPECT_ACCOUNTS, [SUSPECTS_MAX, seed]));
  const sum = (of: 'accounts' | 'entries') => assets.reduce((all, one) => all + one[of], 0);
  return {
    accounts: sum('accounts'),
    entries: sum('entries'),
    suspects: assets.flatMap((one) => one.suspects).slice(0, SUSPECTS_MAX),
    isOff: assets.some((one) => one.is_off),
  };
}

async function sameTransfers(db: Db) {
  const [row] = await roomy(db, (tx) =>
    run<{ transfers: number; is_same: boolean }>(tx, SAME_TRANSFERS, []),
  );
  if (!row) throw new Error('The ledger cannot be counted');
  return row;
}

/** Looked for in stretches, where it is known that there is one. */
async function suspectTransfers(db: Db): Promise<number[]> {
  const [ends] = await run<{ first: number; last: number }>(
    db,
    `select coalesce(least((select min(transfer_id) from ledger.transfers),
         (select min(transfer_id) from ledger.entries)), 0)::bigint as first,
       coalesce(greatest((select max(transfer_id) from ledger.transfers),
         (select max(transfer_id) from ledger.entries)), 0)::bigint as last`,
    [],
  );
  const { first = 0, last = 0 } = ends ?? {};
  const suspects: number[] = [];
  for (let below = first - 1; below < last; below += TRANSFERS_AT_ONCE) {
    const upto = Math.min(last, below + TRANSFERS_AT_ONCE);
    suspects.push(...(await transfersBetween(db, below, upto)).suspects);
  }
  return suspects.slice(0, SUSPECTS_MAX);
}

/** Those above `below` up to `last`, and which of them may break a rule. */
export async function transfersBetween(db: Db, below: number, last: number) {
  const [row] = await roomy(db, (tx) =>
    run<{ transfers: number; sound: boolean }>(tx, SOUND_TRANSFERS, [below, last]),
  );
  const transfers = row?.transfers ?? 0;
  if (row?.sound) return { transfers, suspects: [] };
  const [found] = await roomy(db, (tx) =>
    run<Suspects>(tx, SUSPECT_TRANSFERS, [below, last, SUSPECTS_MAX]),
  );
  return { transfers, suspects: found?.suspects ?? [] };
}

/** In a transaction of its own, unless it is in one already. */
function roomy<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  return db.transaction().execute(async (tx) => {
    for (const setting of ROOM.split(';')) await run(tx, setting, []);
    return work(tx);
  });
}
