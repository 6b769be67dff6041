import { Type } from 'typebox';
import type { Config } from '#kernel/config/config.ts';
import { AddressSetting, chainSetting, rpcSetting } from './chain-setting.ts';
import { CHAIN_KEYS, type ChainKey } from './chains.ts';
import type { NetworkOptions } from './network.ts';

const Contracts = Type.Partial(
  Type.Object(
    {
      usdc: AddressSetting,
      idr_token: AddressSetting,
      bridge: AddressSetting,
      marketplace: AddressSetting,
      commerce: AddressSetting,
    },
    { additionalProperties: false },
  ),
  { additionalProperties: false },
);
const RpcUrl = Type.Refine(
  Type.String(),
  (text) => /^https?:\/\/[^\s/]/.test(text),
  () => 'must be an address that begins with https:// or http://',
);

type Configured = Pick<NetworkOptions, 'dataDir' | 'rpcUrls' | 'contracts' | 'confirmations'>;

/** What the settings say of the EVM chains. Throws when one that is JSON is malformed. */
export function evmSettings(config: Config): Configured {
  return {
    dataDir: config.DATA_DIR,
    rpcUrls: Object.fromEntries(CHAIN_KEYS.map((key) => [key, rpcUrlOf(config, key)])),
    contracts: chainSetting('EVM_CONTRACTS', Contracts, config.EVM_CONTRACTS),
    confirmations: config.EVM_CONFIRMATIONS,
  };
}

/** Where a chain's node is, by the settings; nothing when they name none. */
export function rpcUrlOf(config: Config, key: ChainKey): string | undefined {
  const setting = rpcSetting(key);
  return setting === 'EVM_RPC_URLS'
    ? chainSetting(setting, RpcUrl, config[setting])[key]
    : config[setting];
}
