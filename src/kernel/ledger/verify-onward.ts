import { type Db, run } from '../db/db.ts';
import { advanceGapFree } from '../db/gap-free.ts';
import type { Row } from '../db/row.ts';
import { transact } from '../transact.ts';
import type { HoldOwner } from './holds.ts';
import {
  type Broken,
  brokenHolds,
  brokenOf,
  transfersBetween,
  type Verification,
  verifyLedger,
} from './verify.ts';
import { TRANSFER_RULES } from './verify-rules.ts';

/** Transfers that are verified in one transaction, and in one run: what is left is the next run's. */
const AT_ONCE = 5000;
const MOST = 400 * AT_ONCE;
const SHOWN = 5;
/** Rules with their breaks that are remembered; the first are the ones to look at. */
const REMEMBERED = 20;

/** How far the ledger was verified, and what was found since the last whole pass that found nothing. */
export interface Progress extends Row<'ledger.verification', 'upto' | 'verified_at' | 'whole_at'> {
  readonly broken: readonly Broken[];
}

export interface Onward {
  readonly transfers: number;
  readonly broken: readonly Broken[];
}

/**
 * Verifies what was posted since the last run: that it sums to zero, that it continues the accounts from where
 * they were, and that they say what it leaves. What was verified before is not read again, but for money that is set
 * aside still: its owner may have ended since.
 */
export async function verifyOnward(
  db: Db,
  at: Date,
  owners: readonly HoldOwner[],
): Promise<Onward> {
  await advanceGapFree(db, TRANSFERS);
  const broken: Broken[] = [];
  let transfers = 0;
  for (let seen = 0; seen < MOST; seen += AT_ONCE) {
    const found = await transact(db, verifySome);
    if (found === undefined) break;
    transfers += found.transfers;
    broken.push(...found.broken);
  }
  const orphans = await brokenHolds(db, owners);
  await remember(db, orphans);
  await run(db, 'update ledger.verification set verified_at = $1', [at.toISOString()]);
  return { transfers, broken: [...broken, ...orphans] };
}

/** A pass over everything, which is noted. Where nothing is broken, what was found before has been repaired. */
export async function verifyWhole(
  db: Db,
  at: Date,
  owners: readonly HoldOwner[],
): Promise<Verification> {
  const verification = await verifyLedger(db, owners);
  await run(db, 'update ledger.verification set whole_at = $1, broken = $2::jsonb', [
    at.toISOString(),
    JSON.stringify(verification.broken),
  ]);
  return verification;
}

/** When the ledger was verified last, how far, and what was found. */
export async function verificationProgress(db: Db): Promise<Progress> {
  const [row] = await run<
    Row<'ledger.verification', 'upto' | 'verified_at' | 'whole_at' | 'broken'>
  >(db, 'select upto, verified_at, whole_at, broken from ledger.verification', []);
  if (!row) throw new Error('The ledger does not say how far it was verified');
  return { ...row, broken: row.broken as object as Broken[] };
}

const TRANSFERS = {
  progress: 'ledger.verification',
  newest: 'select transfer_id as id from ledger.transfers order by transfer_id desc limit 1',
} as const;

interface Stretch {
  readonly below: number;
  readonly last: number;
}

/** The next stretch; nothing where all that is decided has been verified. Others wait for it. */
async function verifySome(tx: Db): Promise<Onward | undefined> {
  const [stretch] = await run<Stretch>(
    tx,
    `select upto as below, least(decided, upto + ${AT_ONCE}) as last
     from ledger.verification where upto < decided for update`,
    [],
  );
  if (!stretch) return undefined;
  const { transfers, suspects } = await transfersBetween(tx, stretch.below, stretch.last);
  const broken = [
    ...(await brokenOf(tx, TRANSFER_RULES, suspects)),
    ...(await brokenSteps(tx, stretch)),
    ...(await brokenAccounts(tx, stretch)),
  ];
  await run(tx, 'update ledger.verification set upto = $1', [stretch.last]);
  await remember(tx, broken);
  return { transfers, broken };
}

async function remember(db: Db, broken: readonly Broken[]): Promise<void> {
  if (broken.length > 0)
    await run(
      db,
      `update ledger.verification set broken = broken || $1::jsonb
       where jsonb_array_length(broken) < ${REMEMBERED} and not broken @> $1::jsonb`,
      [JSON.stringify(broken)],
    );
}

/** Entries that do not continue their account from where it was, which is moved on to where they leave it. */
async function brokenSteps(tx: Db, { below, last }: Stretch): Promise<Broken[]> {
  const found = await run<{ found: string }>(
    tx,
    `with e as (
       select e.*, lag(e.seq) over w as last_seq, lag(e.posted_after) over w as last_posted,
         lag(e.held_after) over w as last_held, row_number() over (partition by e.account_id order by e.seq desc) as back
       from ledger.entries e where e.transfer_id > $1 and e.transfer_id <= $2
       window w as (partition by e.account_id order by e.seq)),
     steps as materialized (
       select e.*, coalesce(e.last_seq, v.seq, 0) as from_seq, coalesce(e.last_posted, v.posted, 0) as from_posted,
         coalesce(e.last_held, v.held, 0) as from_held
       from e left join ledger.verified_accounts v using (account_id)),
     moved as (
       insert into ledger.verified_accounts as v (account_id, seq, posted, held, moves, volume)
       select account_id, max(seq), max(posted_after) filter (where back = 1), max(held_after) filter (where back = 1),
         count(*) filter (where amount <> 0), sum(abs(amount))
       from steps group by account_id
       on conflict (account_id) do update set seq = excluded.seq, posted = excluded.posted, held = excluded.held,
         moves = v.moves + excluded.moves, volume = v.volume + excluded.volume)
     select format('account %s, entry %s: %s and %s do not follow entry %s', account_id, seq, posted_after,
       held_after, from_seq) as found
     from steps
     where seq <> from_seq + 1 or from_posted + amount <> posted_after or from_held + held_delta <> held_after
     limit ${SHOWN}`,
    [below, last],
  );
  return asBroken('every entry continues the balance of the one before', found);
}

/** Accounts that say something else than their entries have left. Those that have moved on are seen later. */
async function brokenAccounts(tx: Db, { below, last }: Stretch): Promise<Broken[]> {
  const found = await run<{ found: string }>(
    tx,
    `select format('account %s says %s (held %s) after %s entries, which leave %s (held %s) after %s', a.account_id,
       a.posted, a.held, a.seq, v.posted, v.held, v.seq) as found
     from (select distinct account_id from ledger.entries where transfer_id > $1 and transfer_id <= $2) e
     join ledger.accounts a using (account_id) join ledger.verified_accounts v using (account_id)
     where a.seq < v.seq or a.posted - a.held < a.min_available or a.held < 0
       or a.seq = v.seq and (a.posted, a.held, a.moves, a.volume) is distinct from (v.posted, v.held, v.moves, v.volume)
     limit ${SHOWN}`,
    [below, last],
  );
  return asBroken('every account is the sum of its entries', found);
}

const asBroken = (rule: string, rows: readonly { found: string }[]): Broken[] =>
  rows.length === 0 ? [] : [{ rule, breaks: rows.map(({ found }) => found) }];
