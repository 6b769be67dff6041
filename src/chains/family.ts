import type { Config } from '#kernel/config/config.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { PortCalls } from '#kernel/provider-gate.ts';
import type { ProviderStatus } from '#kernel/provider-status.ts';
import type { Chain, SentTransaction, SignedTransaction } from './port.ts';

/** Chains of one family, as a process has them. */
export interface OpenFamily {
  /** Each of its chains, for controls and metrics. */
  readonly members: readonly Chain[];
  /** Ends what runs, and what was started for it. */
  stop(): Promise<void>;
  /** Starts nodes of our own in the background; the first use would otherwise do it. */
  warm?(): void;
}

/** What every family opens with. */
export interface FamilySetup<Help = undefined> {
  /** The platform's own wallets come from it. */
  readonly mnemonic: string;
  sandboxUrl(): string;
  /** What the sandbox does for the family; undefined in production. */
  readonly sandbox: Help | undefined;
}

/**
 * A family of chains describes itself: what the service asks of every family stands here, and what only one can do
 * in that one's port. `src/app/chains.ts` lists the families; desk, restore, metrics and health read them.
 */
export interface ChainFamily<
  Name extends string = string,
  Network extends OpenFamily = OpenFamily,
  Setup = never,
> {
  readonly key: string;
  /** Connects to nothing and loads nothing before the first use. */
  open(kernel: Kernel, setup: Setup): Network;
  /** How each chain, or the provider in front of it, is set up, by the settings alone. */
  statuses(config: Config): Readonly<Record<Name, ProviderStatus>>;
  /** Which functions of the network act and which make no call; a family without it is never gated. */
  readonly calls?: PortCalls<Network>;
  /** Throws where a setting is malformed. */
  checkSettings?(config: Config): unknown;
  /** Transactions that were signed and may still happen, oldest first. */
  signed(db: Db, limit: number): Promise<readonly SignedTransaction[]>;
  /** References of our transactions with that hash, in any state. */
  referencesOf(db: Db, hash: string): Promise<readonly string[]>;
  /** Transactions of those references, where the journal keeps them by block. */
  transactionsOf?(db: Db, references: readonly string[]): Promise<readonly SentTransaction[]>;
  /** Where a person looks at one of these; null where its chain is none of the family. */
  explorerUrl?(transaction: Pick<SentTransaction, 'chain_id' | 'hash'>): string | null;
}
