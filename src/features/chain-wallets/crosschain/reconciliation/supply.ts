import { journalledSupply, journalStamp } from '#chains/evm/books/port.ts';
import { type EvmChain, readSupply } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { logStamp, unitsBurntAtBridge } from './store.ts';

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
  const found = await readSupply(chain, chain.contracts.usdc);
  const expected =
    (await journalledSupply(db, chain)) - (await unitsBurntAtBridge(db, chain.info.key));
  return (await stampOf(db, chain)) === before ? { expected, found } : undefined;
}

/**
 * Changes whenever the journal or the log does; nothing while something is under way. The two are
 * read one after the other, each time in this order: neither changed between the second's first
 * reading and the first's last one, when everything else is read.
 */
async function stampOf(db: Db, { info }: EvmChain): Promise<string | undefined> {
  const journal = await journalStamp(db, info);
  if (journal === undefined) return undefined;
  const log = await logStamp(db, info.key);
  return log === undefined ? undefined : `${journal}/${log}`;
}
