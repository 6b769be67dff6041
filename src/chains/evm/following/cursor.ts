import type { Address, Hash } from 'viem';
import { type Db, run } from '#kernel/db/db.ts';
import type { ChainKey } from '../chains.ts';

/** Whose reading it is: one row for each follower, chain and contract. */
export interface Following {
  readonly follower: string;
  readonly chain: ChainKey;
  readonly contract: Address;
}

/** The last block that was read. Its hash is missing where there was none before the first one. */
export interface Cursor {
  readonly block: bigint;
  readonly hash: Hash | undefined;
}

interface CursorRow {
  readonly block_number: number;
  readonly block_hash: Hash | null;
  readonly caught_up_at: string | null;
}

const WHICH = 'follower = $1 and chain_id = $2 and contract = $3';
const keyOf = ({ follower, chain, contract }: Following) => [follower, chain, contract] as const;

/** Nothing before the first reading. */
export async function findPlace(
  db: Db,
  following: Following,
): Promise<(Cursor & { readonly caughtUpAt: string | null }) | undefined> {
  const [row] = await run<CursorRow>(
    db,
    `select block_number, block_hash, caught_up_at from chain_followers where ${WHICH}`,
    keyOf(following),
  );
  if (row === undefined) return undefined;
  const { block_number, block_hash, caught_up_at } = row;
  return {
    block: BigInt(block_number),
    hash: block_hash ?? undefined,
    caughtUpAt: caught_up_at,
  };
}

/** Service time up to which everything that had happened by then was read; nothing before the first time. */
export async function caughtUpAt(db: Db, following: Following): Promise<Date | undefined> {
  const place = await findPlace(db, following);
  return place?.caughtUpAt ? new Date(place.caughtUpAt) : undefined;
}

/** The first reading begins behind that block. Another process may have begun it just before. */
export async function begin(db: Db, following: Following, { block, hash }: Cursor): Promise<void> {
  await run(
    db,
    `insert into chain_followers (follower, chain_id, contract, block_number, block_hash)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [...keyOf(following), block.toString(), hash ?? null],
  );
}

/**
 * Moves on in the transaction that books what was read. Of several who read the same at once one moves on;
 * false for all others, whose transactions are to be undone.
 */
export async function moveCursor(
  tx: Db,
  following: Following,
  from: Cursor,
  to: Cursor & { readonly caughtUpAt: Date | undefined },
): Promise<boolean> {
  const rows = await run(
    tx,
    `update chain_followers set block_number = $6, block_hash = $7,
       caught_up_at = coalesce($8::timestamptz, caught_up_at)
     where ${WHICH} and block_number = $4 and block_hash is not distinct from $5 returning 1`,
    [
      ...keyOf(following),
      ...[from.block.toString(), from.hash ?? null],
      ...[to.block.toString(), to.hash ?? null, to.caughtUpAt?.toISOString() ?? null],
    ],
  );
  return rows.length === 1;
}

/** Reorganisations reach as far as these at the most; after deeper ones all that is kept is read again. */
const MARKS_MAX = 256;

/** Remembers a block that was read up to, and forgets the oldest. */
export async function mark(tx: Db, following: Following, { block, hash }: Cursor): Promise<void> {
  await run(
    tx,
    `with kept as (
       insert into chain_follower_marks (follower, chain_id, contract, block_number, block_hash)
       values ($1, $2, $3, $4, $5)
       on conflict (follower, chain_id, contract, block_number)
         do update set block_hash = excluded.block_hash)
     delete from chain_follower_marks where ${WHICH} and block_number <= (
       select block_number from chain_follower_marks where ${WHICH}
       order by block_number desc offset ${MARKS_MAX} limit 1)`,
    [...keyOf(following), block.toString(), hash ?? null],
  );
}

/** The newest first. */
export async function listMarks(db: Db, following: Following): Promise<Cursor[]> {
  const rows = await run<{ block_number: number; block_hash: Hash }>(
    db,
    `select block_number, block_hash from chain_follower_marks where ${WHICH}
     order by block_number desc`,
    keyOf(following),
  );
  return rows.map(({ block_number, block_hash }) => ({
    block: BigInt(block_number),
    hash: block_hash,
  }));
}

/** They are not on chain any more. */
export async function forgetMarks(tx: Db, following: Following, above: bigint): Promise<void> {
  await run(tx, `delete from chain_follower_marks where ${WHICH} and block_number > $4`, [
    ...keyOf(following),
    above.toString(),
  ]);
}
