import { expect, it } from 'vitest';
import { loadConfig } from '#src/config.ts';
import { evmSettings } from './configure.ts';

const settings = (env: Record<string, string>) => evmSettings(loadConfig(env));
const address = `0x${'aB'.repeat(20)}`;

it('a chain with an RPC URL uses it, and its contracts may be elsewhere', () => {
  const { rpcUrls, contracts } = settings({
    EVM_AMOY_RPC_URL: 'https://rpc.example',
    EVM_CONTRACTS: JSON.stringify({ amoy: { usdc: address } }),
  });
  expect(rpcUrls).toEqual({ sepolia: undefined, amoy: 'https://rpc.example', neon: undefined });
  expect(contracts).toEqual({ amoy: { usdc: address } });
});

it.each(['{', '[]', '{"mainnet":{}}', '{"amoy":{"usdc":"0x12"}}', `{"amoy":{"usd":"${address}"}}`])(
  'malformed contract addresses stop the start: %s',
  (EVM_CONTRACTS) => {
    expect(() => settings({ EVM_CONTRACTS })).toThrow('Bad configuration: EVM_CONTRACTS');
  },
);
