import { type Address, type Hash, isHash } from 'viem';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import { lazy } from '#kernel/lazy.ts';
import { SCALE } from '#kernel/money/money.ts';
import type { NetworkHead, NetworkView, SeenAddress } from '../../network-view.ts';
import { explorerTxUrl, hasTips } from '../chains.ts';
import { chainFault } from '../fault.ts';
import type { EvmChain } from '../port.ts';
import { readBalances } from '../reads.ts';
import { readFees } from './fees.ts';
import { medianInclusion } from './inclusion-store.ts';
import { tokenAbilities } from './token-abilities.ts';
import { TOKEN_SYMBOLS, tokenContracts } from './tokens.ts';
import { seenTransaction } from './transaction.ts';

/** Blocks of a public chain come in seconds. */
const BEHIND_S = 120;
const COIN_DIGITS = 18;

/** An EVM chain as people read it. */
export function evmView(chain: EvmChain): NetworkView {
  const { info } = chain;
  const abilities = lazy(() => tokenAbilities(chain));
  return {
    facts: {
      kind: 'evm',
      name: info.network,
      chain_id: info.chainId,
      native: info.native,
      confirmations: chain.confirmations,
      explorer_url: info.explorerUrl,
      is_testnet: true,
      behind_s: BEHIND_S,
    },
    contents: () =>
      answered(async () => ({ contracts: { ...chain.contracts }, tokens: await abilities()() })),
    newest: () => answered(() => newestOf(chain)),
    fees: () => answered(() => readFees(chain, hasTips(info))),
    typedHash: (text) => (isHash(text) ? text.toLowerCase() : undefined),
    transaction: (hash) => answered(() => seenTransaction(chain, hash as Hash)),
    address: (address) => answered(() => seenAddress(chain, address as Address)),
    explorerUrl: (hash) => explorerTxUrl(info, hash),
    finalityP50: (db) => medianInclusion(db, info.chainId),
  };
}

/** What the node answers; `unknown` where it is away. */
async function answered<T>(ask: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return done(await ask());
  } catch (error) {
    return unknown(chainFault(error).message);
  }
}

async function newestOf(chain: EvmChain): Promise<NetworkHead> {
  const { number, hash, timestamp } = await (await chain.client()).getBlock();
  return { height: Number(number), hash, at: new Date(Number(timestamp) * 1000) };
}

async function seenAddress(chain: EvmChain, address: Address): Promise<SeenAddress> {
  const client = await chain.client();
  const [{ native, tokens }, nonce, code] = await Promise.all([
    readBalances(chain, address, tokenContracts(chain.contracts)),
    client.getTransactionCount({ address }),
    client.getCode({ address }),
  ]);
  return {
    balances: [
      { asset: chain.info.native, units: native, digits: COIN_DIGITS },
      ...TOKEN_SYMBOLS.map((asset, n) => ({
        asset,
        units: tokens[n] ?? 0n,
        digits: SCALE[asset],
      })),
    ],
    nonce,
    is_contract: code !== undefined,
  };
}
