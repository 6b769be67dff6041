import type { Destinations } from '../destinations.ts';
import type { ChainKey } from './chains.ts';
import type { ChainAccess } from './client.ts';
import type { ContractSet } from './contracts/deploy.ts';
import type { ChainTransaction } from './sending/journal.ts';
import type { Sender } from './sending/sender.ts';
import type { PlatformKeys } from './signer.ts';

/**
 * The EVM chains, as the rest of the house sees them. Nodes, signing, retries and the tables of the journal stay
 * behind this file (test/tidy.test.ts). Three ports beside it serve single features: what transactions do and did
 * (`contracts/`), events that are followed block by block (`following/`), and books for reconciliation (`books/`).
 */

/** Prices a call, sends it once by its reference, and finds again what was sent. */
export type ChainSender = Pick<
  Sender,
  'quote' | 'send' | 'awaitReceipt' | 'finish' | 'execute' | 'find'
>;

/** One chain, ready to be asked and sent to. */
export interface EvmChain extends ChainAccess {
  /** Its node is one of our own, whose coins are worth nothing. */
  readonly isEmbedded: boolean;
  readonly contracts: ContractSet;
  /** Blocks, the first its own, from which on a transaction counts. */
  readonly confirmations: number;
  readonly sender: ChainSender;
  /** Wei that so much gas costs us now; nothing on a node of our own. Throws ChainError. */
  gasCost(gas: bigint): Promise<bigint>;
  /** Keeps the state of an embedded node now; for changes that no transaction of ours made. */
  snapshot(): Promise<void>;
  /** Whether it is in use: looking after an embedded chain is no reason to start it. */
  isRunning(): boolean;
  /** The journal learns what the chain knows of transactions on their way; throws when it is away. */
  monitorOpen(): Promise<void>;
}

/** All chains, the platform's own addresses on them, and where nothing is sent. */
export interface EvmNetwork extends Destinations {
  readonly chains: Readonly<Record<ChainKey, EvmChain>>;
  readonly keys: PlatformKeys;
  /**
   * Tells from now on of every transaction of ours that the chains have done something new with: a
   * receipt, another signature in its place, a dropped block, an end that nothing changes. Of several
   * processes the one that has found it calls its listeners; what its end cuts off reaches no listener.
   */
  listen(listener: ChainListener): void;
}

/** What it throws is logged, and keeps no other listener from its call. */
export type ChainListener = (row: ChainTransaction) => Promise<void>;

// Chains by name, and their settings.
export { AddressSetting, chainSetting } from './chain-setting.ts';
export {
  CHAIN_KEYS,
  CHAINS,
  type ChainKey,
  exampleChain,
  explorerTxUrl,
  isChainKey,
  sendableAssets,
} from './chains.ts';
// Errors, by what the caller may conclude.
export { ChainError, chainFault, lacksTokens } from './fault.ts';
// Addresses, balances and tokens.
export {
  acrossChains,
  addressOf,
  type Balances,
  readBalances,
  readSupply,
  readToken,
  type TokenInfo,
  typedEvmAddress,
} from './reads.ts';
// The journal of our transactions: what became of each.
export {
  type Finality,
  finalityOf,
  hasFailed,
  isConfirmed,
  mayHappen,
} from './sending/finality.ts';
export {
  type ChainTransaction,
  findByHash,
  findByReference,
  lockByReference,
  minedBefore,
  replacementHash,
} from './sending/journal.ts';
export { firstCallOf, payOrder } from './sending/pay-order.ts';
export type { EvmCall as ChainCall, PreparedTransaction as Quote } from './sending/prepare.ts';
export { type ExecutedTransaction, isExecuted } from './sending/sender.ts';
export { strangeSigners } from './sending/signed.ts';
// Signatures, and who signs.
export { messageSigner, signInMessage } from './signed-message.ts';
export { keySigner, platformKeys, type Signer, sealedSigner } from './signer.ts';
