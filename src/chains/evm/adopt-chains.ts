import { type Db, run } from '#kernel/db/db.ts';
import { isAsset, SCALE } from '#kernel/money/money.ts';
import { type ChainInfo, setChains } from './chains.ts';

/** Every EVM coin is counted in wei. */
const WEI_DECIMALS = 18;

/**
 * The process's chains are from now on the EVM chains of its database; to be called before anything is
 * made of them. Throws an error for the operator to read where a coin is no asset of 18 decimals.
 */
export async function adoptChains(db: Db): Promise<void> {
  const rows = await run<ChainInfo>(
    db,
    `select chain_id as key, evm_chain_id as "chainId", name, network, coin as native,
       explorer_url as "explorerUrl"
     from chains where family = 'evm' order by position`,
    [],
  );
  for (const { key, native } of rows)
    if (!isAsset(native) || SCALE[native] !== WEI_DECIMALS)
      throw new Error(`The coin of chain ${key}, ${native}, needs ${WEI_DECIMALS} decimals`);
  setChains(rows);
}
