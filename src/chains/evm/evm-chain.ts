import type { Destinations } from '../destinations.ts';
import type { ChainKey } from './chains.ts';
import type { ChainAccess } from './client.ts';
import type { ContractSet } from './contracts/deploy.ts';
import type { ChainTransaction } from './sending/journal.ts';
import type { Sender } from './sending/sender.ts';
import type { PlatformKeys } from './signer.ts';

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
   * processes whichever has found it out is told; what its end cuts off nobody is told of.
   */
  listen(listener: ChainListener): void;
}

/** What it throws is logged, and keeps nothing else from being told. */
export type ChainListener = (row: ChainTransaction) => Promise<void>;
