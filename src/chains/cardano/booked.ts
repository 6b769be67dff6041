import { type Db, run } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { BookWindow } from '#kernel/reconciliation/rail.ts';

/** A transaction of ours that is in a block. */
export interface Done {
  readonly hash: string;
  /** In lovelace, as all that follows. */
  readonly fee: bigint;
  /** What the recipient of tokens got along with them. */
  readonly sent: bigint;
}

/** The house's account of all USDC that there is on the chain: minted less burnt. */
export const CIRCULATION = 'cardano-circulation';

/** Says that the ledger has it, in the transaction that posts it. Throws where it had it before. */
export async function markBooked(tx: Db, hash: string): Promise<void> {
  const rows = await run(
    tx,
    `update cardano_transactions set booked_at = service_now()
     where hash = $1 and state = 'CONFIRMED' and booked_at is null returning 1`,
    [hash],
  );
  if (rows.length === 0) throw new Error(`${hash} is in no block, or booked already`);
}

/**
 * What a transaction cost the treasury: the network's fee, and the coins that went along with tokens.
 * The treasury's account is what it has spent, since what it was given is not booked.
 */
export async function costLegs(tx: Db, { fee, sent }: Pick<Done, 'fee' | 'sent'>): Promise<Leg[]> {
  const treasury = await openAccount(tx, houseAccount('cardano-treasury', 'ADA'));
  const fees = await openAccount(tx, houseAccount('cardano-network-fees', 'ADA'));
  return transfer(treasury, fees, fee + sent);
}

/**
 * What a transaction did that is on the chain no more was done by another one: the ledger has that instead, at
 * what that has cost. False where it had it before.
 */
export async function rebook(tx: Db, was: Done, now: Done): Promise<boolean> {
  if (!(await moveBooking(tx, was.hash, now.hash))) return false;
  const more = now.fee + now.sent - was.fee - was.sent;
  if (more === 0n) return true;
  const legs = await costLegs(tx, { fee: more, sent: 0n });
  await postWithin(tx, { key: `cardano-anew:${now.hash}`, kind: 'cardano-anew', legs });
  return true;
}

/** Of one that certainly never happens: the ledger has the other one instead. False where it had before. */
async function moveBooking(tx: Db, was: string, now: string): Promise<boolean> {
  const left = await run(
    tx,
    `update cardano_transactions set booked_at = null
     where hash = $1 and state = 'LAPSED' and booked_at is not null returning 1`,
    [was],
  );
  if (left.length === 0) return false;
  const taken = await run(
    tx,
    `update cardano_transactions set booked_at = service_now()
     where hash = $1 and state = 'CONFIRMED' and booked_at is null returning 1`,
    [now],
  );
  if (taken.length === 0) throw new Error(`${now} is in no block, or booked already`);
  return true;
}

/**
 * Called in a transaction, which it can undo: the chain has taken back what counted, and then which other
 * transaction has done it again, unless the same comes back.
 */
export type CardanoListener = (
  tx: Db,
  news: { readonly was: string; readonly now: string | undefined },
) => Promise<void>;

/** A mint or burn that the ledger has. */
interface Booked {
  readonly hash: string;
  /** Positive where minted. */
  readonly units: bigint;
  /** ISO 8601. */
  readonly booked_at: string;
  /** Where it stands in their order. */
  readonly place: string;
}

/** In the order in which they were booked; the next page is after the last one's place. */
export const bookedIn = (
  db: Db,
  { from, to }: BookWindow,
  {
    after = `${from.toISOString()},0`,
    limit,
  }: { readonly after?: string | undefined; readonly limit: number },
): Promise<Booked[]> =>
  run<Booked>(
    db,
    `select hash, case kind when 'mint' then units else -units end as units, booked_at,
       to_char(booked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ',' || seq as place
     from cardano_transactions
     where booked_at < $1 and kind <> 'send'
       and (booked_at, seq) > (split_part($2, ',', 1)::timestamptz, split_part($2, ',', 2)::bigint)
     order by cardano_transactions.booked_at, seq limit $3`,
    [to.toISOString(), after, limit],
  );
