import { decodeFunctionData, type Hex, parseTransaction } from 'viem';
import { type Db, run } from '#kernel/db/db.ts';
import type { ChainInfo } from '../chains.ts';
import { burnMintBridge, testUSDC } from '../contracts/contracts.generated.ts';
import type { ContractSet } from '../contracts/deploy.ts';

const PAGE = 500;

interface Minting {
  readonly info: ChainInfo;
  readonly contracts: ContractSet;
}

/** Changes whenever a transaction joins the chain's journal; nothing while one is on its way. */
export async function journalStamp(db: Db, { chainId }: ChainInfo): Promise<string | undefined> {
  const [row] = await run<{ stamp: string; open: number }>(
    db,
    `select concat(max(transaction_id)) as stamp, count(*) filter (where status = 'PENDING') as open
     from chain_transactions where chain_id = $1`,
    [chainId],
  );
  return row?.open === 0 ? row.stamp : undefined;
}

interface Counted {
  readonly units: bigint;
  /** The journal's rows up to here are in it, and none of them changes any more. */
  readonly upto: number;
}

/** What is settled is counted once in a process's life. */
const counted = new WeakMap<Minting, Counted>();

/**
 * USDC units that our own transactions made on that chain, less what they took back. Burns at the
 * bridge are not in it, since others burn there too.
 */
export async function journalledSupply(db: Db, chain: Minting): Promise<bigint> {
  const { info, contracts } = chain;
  let known = counted.get(chain) ?? { units: 0n, upto: 0 };
  let { units, upto: afterId } = known;
  for (;;) {
    const rows = await run<{ transaction_id: number; raw: Hex; is_settled: boolean }>(
      db,
      `select transaction_id, raw,
              signed_at < now() - interval '2 minutes' and transaction_id < coalesce(
                (select min(transaction_id) from chain_transactions
                 where chain_id = $1 and not is_final), transaction_id + 1) as is_settled
       from chain_transactions
       where chain_id = $1 and status = 'CONFIRMED' and transaction_id > $2
       order by transaction_id limit ${PAGE}`,
      [info.chainId, afterId],
    );
    for (const { transaction_id, raw, is_settled } of rows) {
      units += effectOf(raw, contracts);
      afterId = transaction_id;
      // Younger rows may still be joined by one with a lower number, from another process.
      if (is_settled) known = { units, upto: transaction_id };
    }
    counted.set(chain, known);
    if (rows.length < PAGE) return units;
  }
}

/** Units by which a transaction of ours changes the supply. */
function effectOf(raw: Hex, { usdc, bridge }: ContractSet): bigint {
  const { to, data } = parseTransaction(raw);
  const target = to?.toLowerCase();
  if (data === undefined) return 0n;
  if (target === bridge.toLowerCase()) {
    const { functionName, args } = decodeFunctionData({ abi: burnMintBridge.abi, data });
    return functionName === 'mint' ? args[1] : 0n;
  }
  if (target !== usdc.toLowerCase()) return 0n;
  const { functionName, args } = decodeFunctionData({ abi: testUSDC.abi, data });
  if (functionName === 'mint') return args[1];
  return functionName === 'burnFrom' ? -args[1] : 0n;
}
