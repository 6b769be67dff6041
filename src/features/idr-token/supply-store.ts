import type { ChainKey } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';

interface Change {
  readonly minted?: bigint;
  readonly taken_back?: bigint;
  readonly redeemed?: bigint;
}

/** Keeps count of the tokens that we make and take, in the transaction that books it. */
export const addSupply = (
  tx: Db,
  chain: ChainKey,
  { minted = 0n, taken_back = 0n, redeemed = 0n }: Change,
): Promise<unknown> =>
  run(
    tx,
    `insert into idr_supply as s (chain_id, minted, taken_back, redeemed) values ($1, $2, $3, $4)
     on conflict (chain_id) do update
     set minted = s.minted + $2::numeric, taken_back = s.taken_back + $3::numeric,
       redeemed = s.redeemed + $4::numeric`,
    [chain, minted.toString(), taken_back.toString(), redeemed.toString()],
  );
