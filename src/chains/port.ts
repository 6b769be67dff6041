import type { Outcome } from '#kernel/effects/outcome.ts';
import type { Asset } from '#kernel/money/money.ts';
import type { NetworkView } from './network-view.ts';

/** The newest block, or ledger, of a chain. */
export interface Head {
  readonly height: number;
  readonly at: Date;
}

/** Balance of a wallet of the platform, in whole coins: for display, not for sums. */
export interface OwnBalance {
  readonly wallet: string;
  readonly asset: 'native' | 'USDC';
  readonly amount: number;
}

/**
 * What all chains have in common, for metrics and test coins. The port of each family knows how transactions are
 * sent and what becomes of them.
 */
export interface MeasuredChain {
  /** Its name in controls and metrics. */
  readonly key: string;
  readonly native: Asset;
  /** Its ledger is one of our own, whose coins are worth nothing. */
  readonly isOwn: boolean;
  /** How an address looks, for people. */
  readonly addressForm: string;
  /** The address as the chain writes it; undefined where it is none or has a wrong checksum. */
  typedAddress(text: string): Promise<string | undefined>;
  /** Whether this process uses it; a metric does not start it. */
  isRunning(): boolean;
  head(): Promise<Outcome<Head>>;
  /** Balances of the wallets that the platform pays from. */
  ownBalances(): Promise<Outcome<readonly OwnBalance[]>>;
}

/** The same with the network as people read it. */
export interface Chain extends MeasuredChain {
  readonly view: NetworkView;
}

/** A transaction that was signed and has not come to its end, as the journal of its chain has it. */
export interface SignedTransaction {
  readonly chain: string;
  readonly hash: string;
  /** The operation's name of it. */
  readonly reference: string;
  readonly status: string;
  readonly signed_at: string;
}

/** A transaction that was sent, as the journal of its chain has it. */
export interface SentTransaction {
  readonly chain_id: number;
  readonly hash: string;
  readonly reference: string;
  readonly purpose: string;
  readonly status: string;
  readonly block_number: number | null;
  readonly mined_at: string | null;
}
