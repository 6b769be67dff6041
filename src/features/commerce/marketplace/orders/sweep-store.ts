import type { Address, Hash } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

/** A row of marketplace_sweeps. */
export type Sweep = Omit<Row<'marketplace_sweeps'>, 'chain_id' | 'contract' | 'token'> & {
  readonly chain_id: ChainKey;
  readonly contract: Address;
  readonly token: Address;
};

/** Undefined where one is open for the same contract and token. */
export async function insertSweep(
  tx: Db,
  { chain_id, contract, token }: Pick<Sweep, 'chain_id' | 'contract' | 'token'>,
  at: Date,
): Promise<number | undefined> {
  const [row] = await run<Pick<Sweep, 'sweep_id'>>(
    tx,
    `insert into marketplace_sweeps (chain_id, contract, token, created_at) values ($1, $2, $3, $4)
     on conflict (chain_id, contract, token) where ended_at is null do nothing returning sweep_id`,
    [chain_id, contract, token, at.toISOString()],
  );
  return row?.sweep_id;
}

export async function findSweep(db: Db, sweep_id: number): Promise<Sweep | undefined> {
  const [row] = await run<Sweep>(db, 'select * from marketplace_sweeps where sweep_id = $1', [
    sweep_id,
  ]);
  return row;
}

export async function endSweep(
  tx: Db,
  sweep_id: number,
  end: { readonly hash: Hash } | { readonly failure: string },
  at: Date,
): Promise<void> {
  await run(
    tx,
    `update marketplace_sweeps set tx_hash = $2, failure = $3, ended_at = $4
     where sweep_id = $1 and ended_at is null`,
    [
      sweep_id,
      'hash' in end ? end.hash : null,
      'hash' in end ? null : end.failure.slice(0, 200),
      at.toISOString(),
    ],
  );
}

/** Whether a transfer has come since the sweep began, which may have missed it. */
export async function hasNewTransfer(
  tx: Db,
  { chain_id, contract, token, created_at }: Sweep,
): Promise<boolean> {
  const [row] = await run<{ has: boolean }>(
    tx,
    `select exists (select from marketplace_payments
       where chain_id = $1 and contract = $2 and token = $3 and kind = 'TRANSFER'
         and counted_at > $4) as has`,
    [chain_id, contract, token, created_at],
  );
  return row?.has === true;
}
