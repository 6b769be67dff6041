import type { Hash } from 'viem';
import type { ChainKey, ChainTransaction, EvmNetwork, Signer } from '#chains/evm/port.ts';
import type { PlatformFee } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Effect } from '#kernel/effects/effect.ts';
import type { Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Cctp } from '#providers/cctp/port.ts';
import type { BridgeRoutes } from './bridge-route.ts';
import type { LegListener } from './leg-listener.ts';
import type { CrosschainTransfer } from './store.ts';

/** The signers of a user's managed wallets on a chain, the primary wallet's first. */
export type SignersOf = (user_id: number, chain: ChainKey) => Promise<readonly Signer[]>;

export interface CrosschainPorts {
  readonly evm: EvmNetwork;
  readonly cctp: Cctp;
  readonly signersOf: SignersOf;
}

/** What the effects stand on. */
export type CrosschainBase = Pick<
  Kernel,
  'db' | 'vault' | 'clock' | 'config' | 'log' | 'jobs' | 'effects' | 'quotas'
> &
  CrosschainPorts & {
    readonly bridgeRoutes: BridgeRoutes;
    /** Hears of what becomes of the legs of bridge transfers. */
    readonly legs: LegListener;
  };

/** Only the request knows who may pay, in order of preference. */
export type BurnEffect = Effect<CrosschainTransfer, ChainTransaction, readonly Signer[]>;

export type MintEffect = Effect<CrosschainTransfer, Minted>;

export interface Minted {
  readonly hash: Hash;
  /** Of the request that has found it minted; nothing where that was a job. */
  readonly operation: string | undefined;
}

/** What every step of a transfer stands on. */
export interface CrosschainDeps extends CrosschainBase {
  readonly burns: BurnEffect;
  readonly mints: MintEffect;
  readonly fees: PlatformFee;
  /** Looks for the burn of a transfer that was called failed. */
  readonly lookForBurn: Job<{ log_id: string }>;
}
