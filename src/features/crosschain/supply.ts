import { decodeFunctionData, type Hex, parseTransaction } from 'viem';
import type { ChainKey } from '#chains/evm/chains.ts';
import { burnMintBridge, testUSDC } from '#chains/evm/contracts/contracts.generated.ts';
import type { EvmChain } from '#chains/evm/network.ts';
import { readSupply } from '#chains/evm/reads.ts';
import { type Db, run } from '#kernel/db/db.ts';

const PAGE = 500;

export interface Supply {
  /** Units that our journal and our log account for. */
  readonly expected: bigint;
  /** Units that there are. */
  readonly found: bigint;
}

/**
 * The USDC of one chain against what we know to have made and burnt it. Nothing while transactions
 * are on their way, since the two cannot be read at the same moment then.
 */
export async function compareSupply(db: Db, chain: EvmChain): Promise<Supply | undefined> {
  const before = await stampOf(db, chain);
  if (before === undefined) return undefined;
  const found = await readSupply(await chain.client(), chain.contracts.usdc);
  const expected = (await journalled(db, chain)) - (await burntAtBridge(db, chain.info.key));
  return (await stampOf(db, chain)) === before ? { expected, found } : undefined;
}

/** Changes whenever the journal or the log does; nothing while something is under way. */
async function stampOf(db: Db, { info }: EvmChain): Promise<string | undefined> {
  const [row] = await run<{ stamp: string; open: number }>(
    db,
    `select concat_ws('/', t.newest, c.burnt) as stamp, t.open + c.open as open
     from (select max(transaction_id) as newest, count(*) filter (where status = 'PENDING') as open
           from chain_transactions where chain_id = $1) t,
          (select count(*) filter (where burn_tx_hash is not null) as burnt,
                  count(*) filter (where lease is not null) as open
           from crosschain_transfers where from_chain = $2) c`,
    [info.chainId, info.key],
  );
  return row?.open === 0 ? row.stamp : undefined;
}

interface Counted {
  readonly units: bigint;
  /** The journal's rows up to here are in it, and none of them changes any more. */
  readonly upto: number;
}

/** What is settled is counted once in a process's life. */
const counted = new WeakMap<EvmChain, Counted>();

/** What our own transactions made, less what they took; burns at the bridge are counted elsewhere. */
async function journalled(db: Db, chain: EvmChain): Promise<bigint> {
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
function effectOf(raw: Hex, { usdc, bridge }: EvmChain['contracts']): bigint {
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

/** Units that left over the bridge, by whoever's hand: seen on chain, and in our log. */
async function burntAtBridge(db: Db, key: ChainKey): Promise<bigint> {
  const [row] = await run<{ units: bigint }>(
    db,
    `select coalesce(sum(units), 0) as units from crosschain_transfers
     where from_chain = $1 and passage = 'BRIDGE' and status in ('BURNED', 'MINTED')
       and burn_proof is distinct from 'WORD'`,
    [key],
  );
  return row?.units ?? 0n;
}
