import type { Db } from '#kernel/db/db.ts';
import type { ChainInfo } from './chains.ts';
import type { ChainClient } from './client.ts';
import type { ChainLog } from './settings.ts';
import type { PlatformKeys } from './signer.ts';

export interface EmbeddedNode {
  readonly url: string;
  /** When its process has ended, for any reason. */
  readonly gone: Promise<void>;
  /** Writes the state down now, if blocks were added since the last time. */
  snapshot(): Promise<void>;
  /** Keeps the state and ends the node; one that another process runs is only left. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly info: ChainInfo;
  /** Where states are kept. */
  readonly dir: string;
  readonly log: ChainLog;
  readonly snapshotEveryMs?: number;
  readonly blockTimeS?: number | undefined;
  /** Ends the waiting for a node that does not answer. */
  readonly signal: AbortSignal;
  /** Makes a started node ready for use; it is not found by others before. */
  readonly bootstrap: (url: string) => Promise<void>;
}

/** What a journal is replayed onto. */
export interface ReplayContext {
  readonly db: Db;
  readonly info: ChainInfo;
  readonly client: ChainClient;
  readonly log: ChainLog;
  readonly keys: PlatformKeys;
}

/** Starts nodes of our own for chains without an RPC address. The sandbox has it; production has none. */
export interface EmbeddedNodes {
  open(options: EmbeddedOptions): Promise<EmbeddedNode>;
  /** Gives the platform's accounts the coins that they have on a chain of our own. */
  fundPlatform(client: ChainClient, keys: PlatformKeys): Promise<void>;
  /** Puts the rules of the real USDC where the test token is deployed; nothing where they are already. */
  replaceUsdc(client: ChainClient, keys: PlatformKeys): Promise<void>;
  /** Sends the journalled transactions that a restored node has lost; answers how many. */
  replay(context: ReplayContext): Promise<number>;
}
