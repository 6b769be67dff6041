import { CHAIN_KEYS, CHAINS, type ChainKey, explorerTxUrl, isChainKey } from '#chains/evm/port.ts';
import {
  PROOF_CHAINS,
  type ProofChain,
} from '#features/chain-wallets/wallet-proofs/wallet-proofs.ts';
import type { FarLedger } from '#features/ramps/ramp/ramp.ts';

/** Every chain on which people have addresses. */
export const BRIDGE_CHAINS = PROOF_CHAINS;
export type BridgeChain = ProofChain;

export const isBridgeChain = (chain: string): chain is BridgeChain =>
  BRIDGE_CHAINS.some((one) => one === chain);

/** What people and steps have to know of a chain. */
export interface BridgePlaces {
  /** Confirmations from which on a transaction counts there. */
  needed(chain: BridgeChain): number;
  /** As people call it. */
  network(chain: BridgeChain): string;
  /** Where a person sees a transaction. */
  link(chain: BridgeChain, hash: string): string;
  /** Undefined of an EVM chain, where another transfer carries it. */
  ledger(chain: string): FarLedger | undefined;
}

/** Of the EVM chains, and of those ledgers. */
export function bridgePlaces(ledgers: readonly FarLedger[], confirmations: number): BridgePlaces {
  const far = (name: string): FarLedger => {
    const found = ledgers.find(({ chain }) => chain === name);
    if (!found) throw new Error(`There is no ledger ${name}`);
    return found;
  };
  return {
    needed: (chain) => (isChainKey(chain) ? confirmations : far(chain).confirmations),
    network: (chain) => (isChainKey(chain) ? CHAINS[chain].network : far(chain).network),
    link: (chain, hash) =>
      isChainKey(chain) ? explorerTxUrl(CHAINS[chain], hash) : far(chain).explorerUrl(hash),
    ledger: (chain) => (isChainKey(chain) ? undefined : far(chain)),
  };
}

/** Each chain in words, for the reference. */
export const chainWords = (ledgers: readonly FarLedger[]): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...CHAIN_KEYS.map((key: ChainKey) => [key, `${CHAINS[key].name}: ${CHAINS[key].network}`]),
    ...ledgers.map(({ chain, name, network }) => [chain, `${name}: ${network}`]),
  ]);
