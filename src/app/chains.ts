import { createCardanoNetwork } from '#chains/cardano/network.ts';
import type { ManagedCardano } from '#chains/cardano/port.ts';
import { evmSettings } from '#chains/evm/configure.ts';
import type { EmbeddedNodes } from '#chains/evm/embedded-nodes.ts';
import { createNetwork, type ManagedNetwork } from '#chains/evm/network.ts';
import { asChain, CHAIN_KEYS, platformKeys } from '#chains/evm/port.ts';
import type { Chain } from '#chains/port.ts';
import { openXrpl } from '#chains/xrpl/configure.ts';
import type { ManagedXrpl } from '#chains/xrpl/network.ts';
import { walletSigners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { usesSandbox } from '#kernel/config/config.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { cctpChains } from '#providers/cctp/settings.ts';
import { providerStatuses } from './operate/provider-status.ts';
import type { SandboxDoor } from './sandbox-door.ts';

/** How often pending transactions are checked. */
const WATCH_MS = 5_000;

export interface Chains {
  readonly evm: ManagedNetwork;
  readonly cardano: ManagedCardano;
  readonly xrpl: ManagedXrpl;
}

/** All chains; none is connected to before it is used. */
export const openChains = (
  kernel: Kernel,
  mnemonic: string,
  { url, door }: SandboxPlace,
): Chains => ({
  evm: createChains(kernel, mnemonic, door?.nodes),
  cardano: createCardanoChain(kernel, mnemonic, url),
  xrpl: openXrpl(kernel, { mnemonic, sandboxUrl: url, sandbox: door?.ledgerHelp(url) }),
});

/** Where the sandbox is, and what it brings; no door in production. */
interface SandboxPlace {
  url(): string;
  readonly door: SandboxDoor | undefined;
}

/**
 * The EVM chains: those that RPC URLs are configured for, and nodes of our own for the others.
 * Nothing is started before it is used, and what is in use is monitored.
 */
export function createChains(
  { config, db, log, vault }: Pick<Kernel, 'config' | 'db' | 'log' | 'vault'>,
  mnemonic: string,
  nodes: EmbeddedNodes | undefined,
): ManagedNetwork {
  const keys = platformKeys(mnemonic);
  const signerOf = walletSigners(db, vault);
  const otherContracts = Object.values(cctpChains(config)).flatMap(
    ({ usdc, token_messenger, message_transmitter }) => [
      usdc,
      token_messenger,
      message_transmitter,
    ],
  );
  const settings = { ...evmSettings(config), otherContracts };
  const network = createNetwork({ db, log, keys, signerOf, nodes, ...settings });
  network.watch(WATCH_MS);
  return network;
}

/** Each of them as what all chains are, with the wallets that sign or are drawn on. */
export const evmChains = ({ chains, keys }: ManagedNetwork): Chain[] => {
  const own = () => {
    const { hot, relayer, treasury } = keys;
    return { hot: hot.address, relayer: relayer.address, treasury: treasury.address };
  };
  return CHAIN_KEYS.map((key) => asChain(chains[key], own));
};

/** Cardano: Blockfrost's test network where one is configured, else the sandbox's own ledger. */
export function createCardanoChain(
  { config, db, clock, log }: Pick<Kernel, 'config' | 'db' | 'clock' | 'log'>,
  mnemonic: string,
  sandboxUrl: () => string,
): ManagedCardano {
  const { CARDANO_URL, CARDANO_PROJECT_ID: projectId, CARDANO_CONFIRMATIONS } = config;
  const isSandbox = CARDANO_URL === undefined && usesSandbox(config);
  const isConfigured = providerStatuses(config).cardano.state !== 'not configured';
  const url = () => CARDANO_URL ?? `${sandboxUrl()}/cardano`;
  return createCardanoNetwork({
    db,
    clock,
    log,
    mnemonic,
    url,
    projectId,
    isSandbox,
    isConfigured,
    confirmations: CARDANO_CONFIRMATIONS,
  });
}
