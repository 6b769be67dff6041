import { afterEach, expect, it } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { rpcSetting } from './chain-setting.ts';
import { CHAIN_KEYS, CHAINS, type ChainKey, CONTRACT_CHAINS, setChains } from './chains.ts';
import { evmSettings } from './configure.ts';

const settings = (env: Record<string, string>) => evmSettings(loadConfig(env));
afterEach(() => setChains(CONTRACT_CHAINS));

const address = `0x${'ab'.repeat(20)}`;
const mistyped = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';

it('a chain with an RPC URL uses it, and its contracts may be elsewhere', () => {
  const { rpcUrls, contracts } = settings({
    EVM_AMOY_RPC_URL: 'https://rpc.example',
    EVM_CONTRACTS: JSON.stringify({ amoy: { usdc: address } }),
  });
  expect(rpcUrls).toEqual({ sepolia: undefined, amoy: 'https://rpc.example', neon: undefined });
  expect(contracts).toEqual({ amoy: { usdc: address } });
});

it('a chain that is a row has its RPC URL in the setting for all of them', () => {
  setChains([...CONTRACT_CHAINS, { ...CHAINS.amoy, key: 'fuji' as ChainKey, chainId: 43_113 }]);
  const given = {
    EVM_AMOY_RPC_URL: 'https://amoy.example',
    EVM_RPC_URLS: '{"fuji":"https://fuji.example"}',
  };
  expect(settings(given).rpcUrls).toEqual({
    sepolia: undefined,
    amoy: 'https://amoy.example',
    neon: undefined,
    fuji: 'https://fuji.example',
  });
  expect(CHAIN_KEYS.map(rpcSetting)).toEqual([
    ...['EVM_SEPOLIA_RPC_URL', 'EVM_AMOY_RPC_URL', 'EVM_NEON_RPC_URL', 'EVM_RPC_URLS'],
  ]);
  const urls = { base: 'https://base.example' };
  expect(() => settings({ EVM_RPC_URLS: JSON.stringify(urls) })).toThrow(
    'Bad configuration: EVM_RPC_URLS/base is no chain',
  );
  expect(() => settings({ EVM_RPC_URLS: '{"fuji":"fuji.example"}' })).toThrow(
    'Bad configuration: EVM_RPC_URLS',
  );
});

it.each([
  '{',
  '[]',
  '{"mainnet":{}}',
  '{"amoy":{"usdc":"0x12"}}',
  `{"amoy":{"usdc":"${mistyped}"}}`,
  `{"amoy":{"usd":"${address}"}}`,
])('malformed contract addresses stop the start: %s', (EVM_CONTRACTS) => {
  expect(() => settings({ EVM_CONTRACTS })).toThrow('Bad configuration: EVM_CONTRACTS');
});
