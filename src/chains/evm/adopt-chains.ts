import { type Db, run } from '#kernel/db/db.ts';
import { isAsset, SCALE } from '#kernel/money/money.ts';
import { addChain, type ChainInfo } from './chains.ts';

/** Every EVM coin is counted in wei. */
const WEI_DECIMALS = 18;

/**
 * Makes the process know the EVM chains of the database, before anything is made of them. Throws an
 * error for the operator to read where a coin is no asset of 18 decimals.
 */
export async function adoptChains(db: Db): Promise<void> {
  const rows = await run<ChainInfo & { native: string }>(
    db,
    `select chain_id as key, evm_chain_id as "chainId", name, network, coin as native,
       explorer_url as "explorerUrl"
     from chains where family = 'evm' order by position`,
    [],
  );
  for (const info of rows) {
    if (!isAsset(info.native) || SCALE[info.native] !== WEI_DECIMALS)
      throw new Error(
        `The coin of chain ${info.key}, ${info.native}, needs ${WEI_DECIMALS} decimals`,
      );
    addChain(info);
  }
}
