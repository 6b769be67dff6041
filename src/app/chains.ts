import { type CardanoFamily, cardanoFamily } from '#chains/cardano/family.ts';
import { type EvmFamily, type EvmSetup, evmFamily } from '#chains/evm/family.ts';
import type { ChainFamily, FamilySetup } from '#chains/family.ts';
import type { Chain } from '#chains/port.ts';
import { type XrplFamily, xrplFamily } from '#chains/xrpl/family.ts';
import { walletSigners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { gate } from '#kernel/provider-gate.ts';
import type { ProviderStatus } from '#kernel/provider-status.ts';

/** Every family of chains; one more is named here and nowhere else in this folder but by the features it serves. */
const FAMILIES = { evm: evmFamily, cardano: cardanoFamily, xrpl: xrplFamily } as const;

export interface Chains {
  readonly evm: EvmFamily;
  readonly cardano: CardanoFamily;
  readonly xrpl: XrplFamily;
}

/** What the sandbox does for families whose chains are its own. */
export interface SandboxChains {
  readonly evm: EvmSetup['sandbox'];
  xrpl(sandboxUrl: () => string): ChainHelp<typeof xrplFamily>;
}
type ChainHelp<F> =
  F extends ChainFamily<string, infer _, infer S>
    ? S extends FamilySetup<infer Help>
      ? Help
      : never
    : never;

export const CHAIN_FAMILIES: readonly Omit<ChainFamily, 'open' | 'calls'>[] =
  Object.values(FAMILIES);

interface ChainsPlace extends Pick<EvmSetup, 'otherContracts'> {
  /** The sandbox's address, and what it does for chains of its own. */
  url(): string;
  readonly sandbox: SandboxChains | undefined;
}

/** All chains; none is connected to before it is used. */
export function openChains(
  kernel: Kernel,
  mnemonic: string,
  { url, sandbox, otherContracts }: ChainsPlace,
): Chains {
  const setup = { mnemonic, sandboxUrl: url };
  const signerOf = walletSigners(kernel.db, kernel.vault);
  return {
    evm: FAMILIES.evm.open(kernel, { ...setup, sandbox: sandbox?.evm, signerOf, otherContracts }),
    cardano: FAMILIES.cardano.open(kernel, { ...setup, sandbox: undefined }),
    xrpl: FAMILIES.xrpl.open(kernel, { ...setup, sandbox: sandbox?.xrpl(url) }),
  };
}

/** Every chain of every family. */
export function chainsOf(open: Chains): readonly Chain[] {
  return Object.keys(FAMILIES).flatMap((name) => open[name as keyof Chains].members);
}

/** The chains as features see them: a family whose settings are incomplete answers that and calls nothing. */
export function gateChains(
  { config, log }: Pick<Kernel, 'config' | 'log'>,
  chains: Chains,
): Chains {
  const gated = Object.entries(FAMILIES).map(([name, { key, calls, statuses }]) => {
    const open = chains[name as keyof Chains];
    const status = (statuses(config) as Readonly<Record<string, ProviderStatus>>)[key];
    return [name, calls && status ? gate(open, key, status, { log, ...(calls as object) }) : open];
  });
  return Object.fromEntries(gated) as Chains;
}
