import { type Address, decodeFunctionData, type Hex, parseTransaction } from 'viem';
import { type Db, run } from '#kernel/db/db.ts';
import type { ChainInfo } from '../chains.ts';
import { idrToken } from '../contracts/contracts.generated.ts';
import type { ContractSet } from '../contracts/deploy.ts';
import { movementOf } from '../contracts/movement.ts';

const PAGE = 500;

interface Minting {
  readonly info: ChainInfo;
  readonly contracts: ContractSet;
}

/** Changes whenever a transaction joins the chain's journal; nothing while one is on its way. */
export async function journalStamp(db: Db, { chainId }: ChainInfo): Promise<string | undefined> {
  const [row] = await run<{ stamp: string; is_open: boolean }>(
    db,
    `select
       concat((select transaction_id from chain_transactions
         where chain_id = $1 order by transaction_id desc limit 1)) as stamp,
       exists (select from chain_transactions
         where chain_id = $1 and not is_final and status = 'PENDING') as is_open`,
    [chainId],
  );
  return row?.is_open === false ? row.stamp : undefined;
}

/**
 * USDC units that our own transactions made on that chain, less what they took back. Burns at the
 * bridge are not in it, since others burn there too. What is settled is counted once, and the sum kept.
 */
export async function journalledSupply(db: Db, chain: Minting): Promise<bigint> {
  const { contracts } = chain;
  let { units, upto: afterId } = await keptSum(db, chain);
  for (;;) {
    const rows = await settledRows(db, chain, afterId);
    let settled: Counted | undefined;
    for (const { transaction_id, raw, is_settled } of rows) {
      units += effectOf(raw, contracts);
      afterId = transaction_id;
      // Younger rows may still be joined by one with a lower number, from another process.
      if (is_settled) settled = { units, upto: transaction_id };
    }
    if (settled) await keepSum(db, chain, settled);
    if (rows.length < PAGE) return units;
  }
}

interface Counted {
  readonly units: bigint;
  /** The journal's rows up to here are in it, and none of them changes any more. */
  readonly upto: number;
}

async function keptSum(db: Db, { info, contracts }: Minting): Promise<Counted> {
  const [row] = await run<Counted>(
    db,
    `select units, upto from chain_supplies where chain_id = $1 and usdc = $2 and bridge = $3`,
    [info.chainId, contracts.usdc, contracts.bridge],
  );
  return row ?? { units: 0n, upto: 0 };
}

/** Others count the same rows, maybe further. */
async function keepSum(
  db: Db,
  { info, contracts }: Minting,
  { units, upto }: Counted,
): Promise<void> {
  await run(
    db,
    `insert into chain_supplies as s (chain_id, usdc, bridge, units, upto) values ($1, $2, $3, $4, $5)
     on conflict (chain_id, usdc, bridge) do update
       set units = excluded.units, upto = excluded.upto where s.upto < excluded.upto`,
    [info.chainId, contracts.usdc, contracts.bridge, units.toString(), upto],
  );
}

/** Units that somebody's transactions have made, and up to which of the journal's rows they are counted. */
export interface GivenUnits {
  readonly units: bigint;
  readonly upto: number;
}

/**
 * Rupiah tokens that were made by that signer's own transactions, beyond what was counted before: for
 * the sandbox's faucet, behind whose tokens there is no money. `settled` is what changes no more, and is
 * counted from the next time.
 */
export async function tokensGivenBy(
  db: Db,
  chain: Minting,
  signer: Address,
  counted: GivenUnits,
): Promise<{ readonly units: bigint; readonly settled: GivenUnits }> {
  let settled = counted;
  let { units, upto: afterId } = counted;
  for (;;) {
    const rows = await settledRows(db, chain, afterId, signer);
    for (const { transaction_id, raw, is_settled } of rows) {
      units += givenBy(raw, chain.contracts);
      afterId = transaction_id;
      if (is_settled) settled = { units, upto: transaction_id };
    }
    if (rows.length < PAGE) return { units, settled };
  }
}

function givenBy(raw: Hex, { idr_token }: ContractSet): bigint {
  const { to, data } = parseTransaction(raw);
  if (data === undefined || to?.toLowerCase() !== idr_token.toLowerCase()) return 0n;
  const { functionName, args } = decodeFunctionData({ abi: idrToken.abi, data });
  return functionName === 'mint' ? args[1] : 0n;
}

interface JournalRow {
  readonly transaction_id: number;
  readonly raw: Hex;
  /** It and those before it change no more, and none with a lower number joins them. */
  readonly is_settled: boolean;
}

/** A page of what the chain has executed of ours, or of one signer's, in the journal's order. */
const settledRows = (
  db: Db,
  { info }: Minting,
  afterId: number,
  signer?: Address,
): Promise<JournalRow[]> =>
  run(
    db,
    `select transaction_id, raw,
            signed_at < now() - interval '2 minutes' and transaction_id < coalesce(
              (select transaction_id from chain_transactions
               where chain_id = $1 and not is_final order by transaction_id limit 1),
              transaction_id + 1) as is_settled
     from chain_transactions
     where chain_id = $1 and status = 'CONFIRMED' and transaction_id > $2
       ${signer === undefined ? '' : 'and from_address = $3'}
     order by transaction_id limit ${PAGE}`,
    [info.chainId, afterId, ...(signer === undefined ? [] : [signer])],
  );

/** Units by which a transaction of ours changes the supply. */
function effectOf(raw: Hex, contracts: ContractSet): bigint {
  const movement = movementOf(raw, contracts);
  if (movement?.token !== 'USDC' || movement.kind === 'send') return 0n;
  return movement.kind === 'burn' && movement.isBridged ? 0n : movement.units;
}
