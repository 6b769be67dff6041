import type { ChainKey } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';

/** Changes whenever a burn on that chain is written down; nothing while one of ours is under way. */
export async function logStamp(db: Db, key: ChainKey): Promise<number | undefined> {
  const [row] = await run<{ burnt: number; open: number }>(
    db,
    `select
       (select count(*) from crosschain_transfers
        where from_chain = $1 and burn_tx_hash is not null) as burnt,
       (select count(*) from effects e
        join crosschain_transfers t on t.log_id = split_part(e.id, ':', 1)::uuid
        where e.kind = 'burn' and e.state = 'OPEN' and t.from_chain = $1) as open`,
    [key],
  );
  return row?.open === 0 ? row.burnt : undefined;
}

/** Units that left over the bridge, by whoever's hand: seen on chain, and in our log. */
export async function unitsBurntAtBridge(db: Db, key: ChainKey): Promise<bigint> {
  const [row] = await run<{ units: bigint }>(
    db,
    `select coalesce(sum(units), 0) as units from crosschain_transfers
     where from_chain = $1 and passage = 'BRIDGE' and status in ('BURNED', 'MINTED')
       and burn_proof is distinct from 'WORD'`,
    [key],
  );
  return row?.units ?? 0n;
}
