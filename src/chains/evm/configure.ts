import { Type } from 'typebox';
import { jsonSetting } from '#kernel/json-setting.ts';
import type { Config } from '#src/config.ts';
import type { NetworkOptions } from './network.ts';

const Address = Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' });
const Contracts = Type.Partial(
  Type.Object(
    {
      usdc: Address,
      idr_token: Address,
      bridge: Address,
      marketplace: Address,
      commerce: Address,
    },
    { additionalProperties: false },
  ),
  { additionalProperties: false },
);
const ContractsByChain = Type.Partial(
  Type.Object({ sepolia: Contracts, amoy: Contracts, neon: Contracts }),
  { additionalProperties: false },
);

type Configured = Pick<
  NetworkOptions,
  'dataDir' | 'rpcUrls' | 'contracts' | 'allowEmbedded' | 'confirmations'
>;

/** What the settings say of the EVM chains. Throws when the contract addresses are malformed. */
export function evmSettings(config: Config): Configured {
  const { EVM_CONTRACTS: contracts } = config;
  return {
    dataDir: config.DATA_DIR,
    rpcUrls: {
      sepolia: config.EVM_SEPOLIA_RPC_URL,
      amoy: config.EVM_AMOY_RPC_URL,
      neon: config.EVM_NEON_RPC_URL,
    },
    contracts:
      contracts === undefined ? {} : jsonSetting('EVM_CONTRACTS', ContractsByChain, contracts),
    confirmations: config.EVM_CONFIRMATIONS,
    // Coins from a node of our own are worth nothing, so production must name real ones.
    allowEmbedded: config.NODE_ENV !== 'production',
  };
}
