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

/** The table as the migrations fill it, for whoever has no database. */
const chains: Record<ChainKey, ChainInfo> = {
  sepolia: {
    key: 'sepolia',
    chainId: 11_155_111,
    name: 'Ethereum',
    network: 'Sepolia Testnet',
    native: 'ETH',
    explorerUrl: 'https://sepolia.etherscan.io',
  },
  amoy: {
    key: 'amoy',
    chainId: 80_002,
    name: 'Polygon',
    network: 'Polygon Amoy',
    native: 'POL',
    explorerUrl: 'https://amoy.polygonscan.com',
  },
  neon: {
    key: 'neon',
    chainId: 245_022_926,
    name: 'Neon',
    network: 'Neon EVM',
    native: 'NEON',
    explorerUrl: 'https://devnet.neonscan.org',
  },
};
const keys = Object.keys(chains) as ChainKey[];

/** The supported chains in the order they are listed; all of them once `adoptChains` has read them. */
export const CHAINS: Readonly<typeof chains> = chains;
export const CHAIN_KEYS: readonly ChainKey[] = keys;

export const isChainKey = (key: string): key is ChainKey => Object.hasOwn(CHAINS, key);

/** A chain by the row of the table, from now on and for the whole process. */
export function addChain(info: ChainInfo): void {
  if (!isChainKey(info.key)) keys.push(info.key);
  chains[info.key] = info;
}

/** What may be sent on chains: the coin of each, and our USDC. */
export const sendableAssets = (): Asset[] => [
  ...new Set([...CHAIN_KEYS.map((key) => CHAINS[key].native), 'USDC' as const]),
];

/** Where a person looks at a transaction. */
export const explorerTxUrl = (chain: ChainInfo, hash: string): string =>
  `${chain.explorerUrl}/tx/${hash}`;
