import { type Config, usesSandbox } from '#kernel/config/config.ts';
import type { ProviderStatus } from '#kernel/provider-status.ts';
import type { ChainFamily, FamilySetup, OpenFamily } from '../family.ts';
import { asChain } from './as-chain.ts';
import { rpcSetting } from './chain-setting.ts';
import { CHAIN_KEYS, type ChainKey, explorerUrlOf } from './chains.ts';
import { evmSettings, rpcUrlOf } from './configure.ts';
import type { EmbeddedNodes } from './embedded-nodes.ts';
import { createNetwork, type ManagedNetwork } from './network.ts';
import { findByReference, referencesOf } from './sending/journal.ts';
import { signedEvm } from './sending/signed.ts';
import { platformKeys, type Signer } from './signer.ts';

/** How often pending transactions are checked. */
const WATCH_MS = 5_000;

export type EvmFamily = ManagedNetwork & OpenFamily;

export interface EvmSetup extends FamilySetup<EmbeddedNodes> {
  /** Signers of users' wallets. */
  signerOf(address: string): Promise<Signer | undefined>;
  /** Contracts beside ours that nothing may be sent to. */
  readonly otherContracts: readonly string[];
}

/** The EVM chains: those that RPC URLs are configured for, and nodes of our own for the others. */
export const evmFamily: ChainFamily<ChainKey, EvmFamily, EvmSetup> = {
  key: 'evm',
  open({ config, db, log }, { mnemonic, sandbox: nodes, signerOf, otherContracts }) {
    const keys = platformKeys(mnemonic);
    const settings = { ...evmSettings(config), otherContracts };
    const network = createNetwork({ db, log, keys, signerOf, nodes, ...settings });
    network.watch(WATCH_MS);
    const own = () => {
      const { hot, relayer, treasury } = keys;
      return { hot: hot.address, relayer: relayer.address, treasury: treasury.address };
    };
    return { ...network, members: CHAIN_KEYS.map((key) => asChain(network.chains[key], own)) };
  },
  statuses: (config) =>
    Object.fromEntries(CHAIN_KEYS.map((key) => [key, statusOf(config, key)])) as Record<
      ChainKey,
      ProviderStatus
    >,
  checkSettings: evmSettings,
  signed: signedEvm,
  referencesOf,
  explorerUrl: ({ chain_id, hash }) => explorerUrlOf(chain_id, hash),
  transactionsOf: async (db, references) =>
    (await findByReference(db, references)).map(({ raw, ...shown }) => shown),
};

function statusOf(config: Config, key: ChainKey): ProviderStatus {
  const address = rpcSetting(key);
  if (rpcUrlOf(config, key) !== undefined) return { state: 'configured', address, lacking: [] };
  if (usesSandbox(config)) return { state: 'sandbox', address, lacking: [] };
  return { state: 'not configured', address, lacking: [address] };
}
