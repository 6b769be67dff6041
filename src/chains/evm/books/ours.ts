import { isAddressEqual } from 'viem';
import type { Db } from '#kernel/db/db.ts';
import { predictContracts } from '../contracts/deploy.ts';
import { type Logged, type LoggedPage, readLogged } from '../contracts/logged.ts';
import { TOKENS } from '../contracts/movement.ts';
import { ChainError } from '../fault.ts';
import type { EvmChain, EvmNetwork } from '../port.ts';
import { findJournalled, type JournalledTransaction } from './journalled.ts';

interface Asked {
  readonly from: Date;
  readonly to: Date;
  readonly block?: bigint;
  /** What is older must be known to the journal by now. */
  readonly before: Date;
}

/**
 * What the chain says of movements of our tokens that should be ours: by transactions of the journal, from
 * the platform's own addresses, and everything that is minted where the token is of our making. Throws
 * ChainError, also while the journal has not heard of a transaction's receipt that it should have.
 */
export async function readOurs(
  db: Db,
  { keys }: Pick<EvmNetwork, 'keys'>,
  chain: EvmChain,
  asked: Asked,
): Promise<LoggedPage> {
  const made = predictContracts(keys);
  const isMade = ({ token }: Logged) =>
    isAddressEqual(made[TOKENS[token]], chain.contracts[TOKENS[token]]);
  const platform = Object.values(keys).map(({ address }) => address);
  const unheard = new Set<string>();
  const isOurs = (one: Logged, known: JournalledTransaction | undefined): boolean => {
    // Anybody may have any address send nothing to anybody, by `transferFrom`.
    if (one.units === 0n) return false;
    if (known?.status === 'PENDING') unheard.add(one.hash);
    if (known !== undefined) return known.moves;
    return one.kind === 'mint'
      ? isMade(one)
      : platform.some((address) => isAddressEqual(address, one.from));
  };
  const page = await readLogged(chain, asked, async (all) => {
    const known = await findJournalled(
      db,
      chain,
      all.map(({ hash }) => hash),
    );
    return all.filter((one) => isOurs(one, known.get(one.hash)));
  });
  if (page.logged.some(({ hash, at }) => unheard.has(hash) && at < asked.before))
    throw new ChainError('pending', 'The journal has not heard of a receipt');
  return page;
}
