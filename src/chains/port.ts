import type { Outcome } from '#kernel/effects/outcome.ts';
import type { Asset } from '#kernel/money/money.ts';

/** The newest block, or ledger, of a chain. */
export interface Head {
  readonly height: number;
  readonly at: Date;
}

/** What a wallet of the platform's own has, in whole coins: to be looked at, and not to be counted with. */
export interface OwnBalance {
  readonly wallet: string;
  readonly asset: 'native' | 'USDC';
  readonly amount: number;
}

/**
 * What all chains have in common, whatever they are made of: who looks after them or gives test coins asks
 * for no more. What is sent, and what becomes of it, each chain's own port knows.
 */
export interface Chain {
  /** What controls and metrics call it. */
  readonly key: string;
  readonly native: Asset;
  /** Its ledger is one of our own, whose coins are worth nothing. */
  readonly isOwn: boolean;
  /** How an address looks, for people. */
  readonly addressForm: string;
  /** As the chain writes it; nothing for what is none, or has a wrong checksum. */
  typedAddress(text: string): Promise<string | undefined>;
  /** Whether this process uses it: being looked at is no reason to begin. */
  isRunning(): boolean;
  head(): Promise<Outcome<Head>>;
  /** What the wallets have that the platform pays from. */
  ownBalances(): Promise<Outcome<readonly OwnBalance[]>>;
}

/** A transaction that was signed and has not come to its end, as the journal of its chain has it. */
export interface SignedTransaction {
  readonly chain: string;
  readonly hash: string;
  /** What the operation calls it. */
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
