import type { Db } from '#kernel/db/db.ts';
import type { Outcome } from '#kernel/effects/outcome.ts';
import type { Leg } from '#kernel/ledger/ledger.ts';
import type { Money } from '#kernel/money/money.ts';

/** Who is paid on a ledger, as the ledger writes it. */
export interface FarAddress {
  readonly address: string;
  readonly tag: number | null;
}

/** Who gets it, as a request names them. */
export interface FarRecipient {
  readonly recipient_address: string;
  readonly recipient_tag?: number | undefined;
}

/** There is one transaction of its reference, however often it is asked for. */
export interface FarOrder {
  readonly reference: string;
  /** Millionths of a USDC. */
  readonly units: bigint;
  /** Without it the platform mints or issues, to its own address. */
  readonly to?: FarAddress;
}

/** A transaction that has happened, with its confirmations. */
export interface DonePayment {
  readonly hash: string;
  readonly block: number | null;
}

/** A ledger on which the platform mints or issues USDC, as the bridge needs it. Its rail describes it. */
export interface FarLedger {
  /** Its row of the chains. */
  readonly chain: string;
  readonly name: string;
  readonly network: string;
  /** From so many blocks or ledgers on a transaction counts. */
  readonly confirmations: number;
  /** Has its settings. */
  readonly isReady: boolean;
  /** One of our own, whose coins are worth nothing. */
  readonly isOwn: boolean;
  explorerUrl(hash: string): string;
  /** Throws the refusal of an address that cannot get so much. */
  recipientFor(named: FarRecipient, units: bigint): Promise<FarAddress>;
  /** What a mint and a payment take from the platform. */
  costOf(units: bigint, to: FarAddress): Promise<Money>;
  /** `refused` only where it is certain that the transaction of that reference never happens. */
  make(order: FarOrder): Promise<Outcome<DonePayment>>;
  /**
   * The accounts that a posting moves: minus posted of `held` is at the platform's address, posted of `issued` is owed to all
   * holders. `own` stands in where the rail has no account of that address.
   */
  accounts(tx: Db, own: number): Promise<{ readonly held: number; readonly issued: number }>;
  /** In the transaction that posts it: what it has cost, where the rail books that. */
  costLegs(tx: Db, done: DonePayment): Promise<readonly Leg[]>;
  /** Tells from now on of transactions that the chain has taken back, and of those that do the same. */
  listen?(
    hear: (
      tx: Db,
      news: { readonly was: string; readonly now: string | undefined },
    ) => Promise<void>,
  ): void;
}
