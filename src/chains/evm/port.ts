/**
 * What the rest of the house may know of the EVM chains, and all that it may import of this folder
 * (test/tidy.test.ts). Which nodes there are, how a transaction is signed, repeated and watched, and
 * what the journal's tables look like stays behind it. Who makes a network imports network.ts.
 */
import type { ChainKey } from './chains.ts';
import type { ChainAccess } from './client.ts';
import type { ContractSet } from './contracts/deploy.ts';
import type { Sender } from './sending/sender.ts';
import type { PlatformKeys } from './signer.ts';

/** Prices a call, sends it once by its reference, and finds again what was sent. */
export type ChainSender = Pick<Sender, 'quote' | 'send' | 'settle' | 'execute' | 'find'>;

/** One chain, ready to be asked and sent to. */
export interface EvmChain extends ChainAccess {
  /** Its node is one of our own, whose coins are worth nothing. */
  readonly isEmbedded: boolean;
  readonly contracts: ContractSet;
  /** Blocks, the first its own, from which on a transaction counts. */
  readonly confirmations: number;
  readonly sender: ChainSender;
  /** Keeps the state of an embedded node now; for changes that no transaction of ours made. */
  snapshot(): Promise<void>;
  /** Whether it is in use: looking after an embedded chain is no reason to start it. */
  isRunning(): boolean;
  /** The journal learns what the chain knows of transactions on their way; throws when it is away. */
  monitorOpen(): Promise<void>;
}

/** All chains, and the platform's own addresses on them. */
export interface EvmNetwork {
  readonly chains: Readonly<Record<ChainKey, EvmChain>>;
  readonly keys: PlatformKeys;
}

// What the settings say of each chain.
export { chainSetting } from './chain-setting.ts';
// Which chains there are, and how people name and see them.
export {
  CHAIN_KEYS,
  CHAINS,
  type ChainInfo,
  type ChainKey,
  explorerTxUrl,
  isChainKey,
  sendableAssets,
} from './chains.ts';
// What a transaction does.
export {
  approveCall,
  type BridgeTransfer,
  bridgeBurnCall,
  bridgeMintCall,
  bridgeNonce,
  type ContractCall,
  mintTokenCall,
  transferCall,
} from './contracts/calls.ts';
// What a transaction did, by the chain's word.
export {
  type Disproof,
  findBridgeBurn,
  type Proof,
  prove,
  proveBridgeBurn,
  proveBridgeMint,
  type Witness,
} from './contracts/proofs.ts';
export { searchLogs } from './contracts/search.ts';
export { proveTransfer } from './contracts/transfer-proof.ts';
// What may go wrong, by what the caller may conclude.
export { ChainError, type ChainFaultKind, chainFault } from './fault.ts';
// Addresses, balances and tokens.
export {
  acrossChains,
  addressOf,
  type Balances,
  readBalances,
  readSupply,
  readToken,
  type TokenInfo,
  typedAddress,
} from './reads.ts';
// What became of a transaction of ours, by the journal's word.
export { hasFailed, isConfirmed } from './sending/finality.ts';
export {
  type ChainTransaction,
  findByHash,
  findByReference,
  lockByReference,
  minedBefore,
  replacementHash,
} from './sending/journal.ts';
export { journalledSupply, journalStamp } from './sending/journalled-supply.ts';
export type { Call as ChainCall, Prepared as Quote } from './sending/prepare.ts';
export { type Executed, isExecuted } from './sending/sender.ts';
// Who signs.
export { keySigner, type PlatformKeys, platformKeys, type Signer, sealedSigner } from './signer.ts';
