export type ChainKey = 'sepolia' | 'amoy' | 'neon';

export interface ChainInfo {
  /** What the API calls `chain_id`. */
  readonly key: ChainKey;
  readonly chainId: number;
  /** The normalised name that cross-chain answers use. */
  readonly name: string;
  readonly network: string;
  readonly native: 'ETH' | 'POL' | 'NEON';
  readonly explorerUrl: string;
}

/** The supported chains in the order the contract lists them. */
export const CHAINS: Readonly<Record<ChainKey, ChainInfo>> = {
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
export const CHAIN_KEYS = Object.keys(CHAINS) as readonly ChainKey[];

export const isChainKey = (key: string): key is ChainKey => Object.hasOwn(CHAINS, key);

/** Where a person looks at a transaction. */
export const explorerTxUrl = (chain: ChainInfo, hash: string): string =>
  `${chain.explorerUrl}/tx/${hash}`;
