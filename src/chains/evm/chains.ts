import type { Asset } from '#kernel/money/money.ts';

/** The contract's words. Table `chains` may hold others, which `isChainKey` knows like these. */
export type ChainKey = 'sepolia' | 'amoy' | 'neon';

export interface ChainInfo {
  /** What the API calls `chain_id`. */
  readonly key: ChainKey;
  readonly chainId: number;
  /** The normalised name that cross-chain answers use. */
  readonly name: string;
  readonly network: string;
  readonly native: Asset;
  readonly explorerUrl: string;
}

/** The contract's chains, as the migrations write them into the table. */
export const CONTRACT_CHAINS: readonly ChainInfo[] = [
  {
    key: 'sepolia',
    chainId: 11_155_111,
    name: 'Ethereum',
    network: 'Sepolia Testnet',
    native: 'ETH',
    explorerUrl: 'https://sepolia.etherscan.io',
  },
  {
    key: 'amoy',
    chainId: 80_002,
    name: 'Polygon',
    network: 'Polygon Amoy',
    native: 'POL',
    explorerUrl: 'https://amoy.polygonscan.com',
  },
  {
    key: 'neon',
    chainId: 245_022_926,
    name: 'Neon',
    network: 'Neon EVM',
    native: 'NEON',
    explorerUrl: 'https://devnet.neonscan.org',
  },
];

/** One of them, for examples: the API's documents name chains that there are. */
export function exampleChain(nth = 0): ChainInfo {
  const info = CONTRACT_CHAINS[nth];
  if (info === undefined) throw new Error('The contract has fewer chains');
  return info;
}

const chains = {} as Record<ChainKey, ChainInfo>;
const keys: ChainKey[] = [];
setChains(CONTRACT_CHAINS);

/** By key: the contract's until the process has read those of its database (`adoptChains`). */
export const CHAINS: Readonly<typeof chains> = chains;
/** In the order that they are listed. */
export const CHAIN_KEYS: readonly ChainKey[] = keys;

export const isChainKey = (key: string): key is ChainKey => Object.hasOwn(CHAINS, key);

/** These are the chains of this process, in this order, and no others. */
export function setChains(infos: readonly ChainInfo[]): void {
  for (const gone of keys.splice(0).filter((key) => infos.every((info) => info.key !== key)))
    delete (chains as Partial<typeof chains>)[gone];
  for (const info of infos) {
    chains[info.key] = info;
    keys.push(info.key);
  }
}

/** What may be sent on chains: the coin of each, and our USDC. */
export const sendableAssets = (): Asset[] => [
  ...new Set([...CHAIN_KEYS.map((key) => CHAINS[key].native), 'USDC' as const]),
];

/** The same by the number of its chain; null where that is none of this process. */
export function explorerUrlOf(chain_id: number, hash: string): string | null {
  const info = CHAIN_KEYS.map((key) => CHAINS[key]).find(({ chainId }) => chainId === chain_id);
  return info ? explorerTxUrl(info, hash) : null;
}

/** Where a person looks at a transaction. */
export const explorerTxUrl = (chain: ChainInfo, hash: string): string =>
  `${chain.explorerUrl}/tx/${hash}`;

/** Neon's node asks for a gas price of its own; the others have a market of tips. */
export const hasTips = ({ native }: Pick<ChainInfo, 'native'>): boolean => native !== 'NEON';
