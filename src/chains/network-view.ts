import type { Db } from '#kernel/db/db.ts';
import type { Outcome } from '#kernel/effects/outcome.ts';
import type { Asset } from '#kernel/money/money.ts';

/** A token that the platform uses on a network. */
export interface NetworkToken {
  readonly symbol: string;
  /** As the network names it: a contract, an asset's id, an issuer. */
  readonly address: string;
  readonly digits: number;
  /** Whether it takes EIP-2612 permits, and EIP-3009 authorizations. */
  readonly permit: boolean;
  readonly transfer_with_authorization: boolean;
}

/** What a network is, whatever its state. */
export interface NetworkFacts {
  /** The family of the network. */
  readonly kind: string;
  readonly name: string;
  /** The number by which its transactions name it, as EIP-155 has it. */
  readonly chain_id: number;
  readonly native: Asset;
  /** Blocks, the first its own, from which on a transaction counts. */
  readonly confirmations: number;
  readonly explorer_url: string;
  readonly is_testnet: boolean;
  /** Age of the newest block from which on a network of others is behind, in seconds. */
  readonly behind_s: number;
}

/** What the platform has on a network; needs the network itself. */
export interface NetworkContents {
  readonly contracts: Readonly<Record<string, string>>;
  readonly tokens: readonly NetworkToken[];
}

export interface NetworkHead {
  readonly height: number;
  readonly hash: string;
  readonly at: Date;
}

/** A price of a network, and what a plain transfer costs at it, in the coin's units. */
export interface NetworkFee {
  /** Units of the coin for one unit of work: gas, byte or transaction. */
  readonly price: bigint;
  readonly transferCost: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
}

export type FeeSpeed = 'slow' | 'normal' | 'fast';
export type NetworkFees = Readonly<Record<FeeSpeed, NetworkFee>>;

/** One movement of a transaction: of the coin, or of a token by its symbol or, unknown to us, its address. */
export interface SeenMove {
  readonly asset: string;
  /** Null of what is minted, and of what is burnt. */
  readonly from: string | null;
  readonly to: string | null;
  readonly units: bigint;
  readonly digits: number;
}

export interface SeenTransaction {
  readonly status: 'PENDING' | 'MINED' | 'FINAL' | 'FAILED';
  readonly block: number | null;
  readonly confirmations: number;
  /** Units of the coin. */
  readonly fee: bigint | null;
  readonly moves: readonly SeenMove[];
  /** What it is beside its movements: `contract call`, `trust line`. */
  readonly kind: string;
}

export interface SeenBalance {
  readonly asset: string;
  readonly units: bigint;
  readonly digits: number;
}

export interface SeenAddress {
  readonly balances: readonly SeenBalance[];
  readonly nonce?: number;
  readonly is_contract?: boolean;
  readonly requires_tag?: boolean;
  readonly trust_lines?: readonly {
    readonly currency: string;
    readonly issuer: string;
    readonly limit: string;
    readonly balance: string;
  }[];
}

/** A network as people read it. Nothing here signs or books; `unknown` where the network is away. */
export interface NetworkView {
  readonly facts: NetworkFacts;
  contents(): Promise<Outcome<NetworkContents>>;
  newest(): Promise<Outcome<NetworkHead>>;
  fees(): Promise<Outcome<NetworkFees>>;
  /** The hash as the network writes it; undefined where the text is none. */
  typedHash(text: string): string | undefined;
  /** `done(undefined)` where the network does not know it. */
  transaction(hash: string): Promise<Outcome<SeenTransaction | undefined>>;
  /** Of an address in the form of `Chain.typedAddress`. */
  address(address: string): Promise<Outcome<SeenAddress>>;
  explorerUrl(hash: string): string;
  /** Median of the seconds that our latest transactions took until they counted; null before the first. */
  finalityP50(db: Db): Promise<number | null>;
}
