import type { ChainKey } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

interface Change {
  readonly minted?: bigint;
  readonly taken_back?: bigint;
  readonly redeemed?: bigint;
}

/** Adds minted, taken-back and redeemed tokens to the sums of a chain, in the transaction that books them. */
export async function addToSupply(
  tx: Db,
  chain: ChainKey,
  { minted = 0n, taken_back = 0n, redeemed = 0n }: Change,
): Promise<void> {
  const add = () =>
    run(
      tx,
      `update idr_supply set minted = minted + $2, taken_back = taken_back + $3,
         redeemed = redeemed + $4
       where chain_id = $1 returning chain_id`,
      [chain, minted.toString(), taken_back.toString(), redeemed.toString()],
    );
  if ((await add()).length > 0) return;
  // A chain whose row was added later has no sums yet.
  await run(tx, 'insert into idr_supply (chain_id) values ($1) on conflict do nothing', [chain]);
  await add();
}

/** The expected tokens on a chain, in units; and up to which transaction the faucet's are counted. */
export interface StoredSupply extends Row<'idr_supply', 'faucet' | 'faucet_upto'> {
  /** Minted by the platform, less taken-back and redeemed ones. */
  readonly ours: bigint;
  /** Paid and not booked as minted: the chain may have them already. */
  readonly owed: bigint;
  /** Being taken back: the chain may lack them already. */
  readonly leaving: bigint;
}

/** In one statement, so that a step between two sums is counted once. */
export async function readSupplySums(db: Db, chain: ChainKey): Promise<StoredSupply> {
  const [row] = await run<StoredSupply>(
    db,
    `select minted - taken_back - redeemed as ours, faucet, faucet_upto,
       (select coalesce(sum(m.amount_token), 0) from idr_mints m
        where m.chain_id = $1 and m.status = 'PAID') as owed,
       (select coalesce(sum(m.amount_token), 0) from idr_refunds r join idr_mints m using (mint_id)
        where r.state = 'TAKING_BACK' and m.chain_id = $1) as leaving
     from idr_supply where chain_id = $1`,
    [chain],
  );
  return row ?? { ours: 0n, owed: 0n, leaving: 0n, faucet: 0n, faucet_upto: 0 };
}

/** The faucet's tokens up to a transaction are final. */
export const keepFaucet = (
  db: Db,
  chain: ChainKey,
  { units, upto }: { readonly units: bigint; readonly upto: number },
): Promise<unknown> =>
  run(
    db,
    `insert into idr_supply as s (chain_id, faucet, faucet_upto) values ($1, $2, $3)
     on conflict (chain_id) do update
     set faucet = excluded.faucet, faucet_upto = excluded.faucet_upto
     where s.faucet_upto < excluded.faucet_upto`,
    [chain, units.toString(), upto],
  );

/** Minted tokens that were neither taken back nor redeemed, over all chains. */
export async function readReserveSum(db: Db): Promise<bigint> {
  const [row] = await run<{ kept: bigint }>(
    db,
    'select coalesce(sum(minted - taken_back - redeemed), 0) as kept from idr_supply',
    [],
  );
  return row?.kept ?? 0n;
}

/** One comparison, of a chain or of the `ledger`: what was found should be from `least` to `most`. */
export type Comparison = Row<'idr_breaks', 'subject' | 'least' | 'most' | 'found'>;

/** Writes a difference down once, however often it is found; answers whether it is new. */
export async function openIdrTokenBreak(
  db: Db,
  { subject, least, most, found }: Comparison,
  at: Date,
): Promise<boolean> {
  const [row] = await run<{ is_new: boolean }>(
    db,
    `insert into idr_breaks (subject, least, most, found, found_at, last_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (subject) where settled_at is null
       do update set last_at = excluded.last_at, least = excluded.least, most = excluded.most,
         found = excluded.found
     returning found_at = last_at as is_new`,
    [subject, least.toString(), most.toString(), found.toString(), at.toISOString()],
  );
  return row?.is_new === true;
}

/** It is as it should be by now. */
export const settleIdrTokenBreak = (db: Db, subject: string, at: Date): Promise<unknown> =>
  run(db, 'update idr_breaks set settled_at = $2 where subject = $1 and settled_at is null', [
    subject,
    at.toISOString(),
  ]);
