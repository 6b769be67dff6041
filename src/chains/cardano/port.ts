import type { Db } from '#kernel/db/db.ts';
import type { Outcome } from '#kernel/effects/outcome.ts';
import type { BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import type { Destinations } from '../destinations.ts';
import type { Chain } from '../port.ts';
import type { CardanoListener, Done } from './booked.ts';

// What of it the ledger has.
export {
  bookedIn,
  type CardanoListener,
  CIRCULATION,
  costLegs,
  type Done,
  markBooked,
} from './booked.ts';

export { isSignedByPaymentKey } from './signed-message.ts';

/** A transaction of the platform's, by what it does; there is one of its reference, for good. */
export interface Order {
  readonly reference: string;
  /** `send` pays out what the treasury has. */
  readonly kind: 'mint' | 'burn' | 'send';
  /** Of USDC, in its units. */
  readonly units: bigint;
  /** Who gets it: an address that `typedAddress` knows. Without it the treasury keeps what is minted. */
  readonly to?: string | undefined;
  /** In the transaction that signs it: throws where it is wanted no more, and keeps it wanted until then. */
  readonly permit?: ((tx: Db) => Promise<void>) | undefined;
}

export interface Holdings {
  readonly lovelace: bigint;
  /** Of our policy only. */
  readonly usdc: bigint;
  /** What of both cannot be sent: coins that tokens must have beside them, and what is under way. */
  readonly held: { readonly lovelace: bigint; readonly usdc: bigint };
}

export interface CardanoChainIdentity {
  /** The platform's own address. */
  readonly treasury: string;
  readonly policyId: string;
  /** `USDC`, as the chain knows the name. */
  readonly assetName: string;
  readonly assetId: string;
}

/** As its operator sees it. */
export interface ManagedCardano extends Cardano {
  /** What it has in common with all other chains. */
  readonly chain: Chain;
}

/**
 * Cardano, as the rest of the house sees it. USDC is what the platform's own policy has minted, and
 * nothing that only has the name.
 */
export interface Cardano extends Destinations {
  /** Whether there is a ledger behind it; without one there are no addresses. */
  readonly isConfigured: boolean;
  /** The contract's word for the network. */
  readonly network: 'preprod';
  identity(): Promise<CardanoChainIdentity>;
  /** The address as typed where it is one of the test networks that can be paid to. */
  typedAddress(text: string): Promise<string | undefined>;
  /**
   * Does it once, however often it is asked, and answers when it is in a block, and that deep enough.
   * `unknown` where it is not yet; `refused` with TREASURY_EMPTY where nothing was signed, since the treasury cannot pay.
   */
  send(order: Order): Promise<Outcome<Done>>;
  /** What it takes from the treasury, in lovelace: the network's fee, and the coins that go along with tokens. */
  costOf(order: Pick<Order, 'kind' | 'units' | 'to'>): Promise<bigint>;
  /** Whether something was signed under that name that has happened or may; for the caller that gives it up. */
  mayHappen(tx: Db, reference: string): Promise<boolean>;
  holdings(address: string): Promise<Outcome<Holdings>>;
  /** All USDC there is. */
  supply(): Promise<Outcome<bigint>>;
  /** Mints (positive) and burns (negative) of USDC, by the hash of their transaction, oldest first. */
  statement(window: BookWindow): Promise<Outcome<BookPage>>;
  /** Tells from now on of what the chain takes back; the process that finds it out calls its listener. */
  listen(listener: CardanoListener): void;
  /** Looks after what counted and may be taken back still. Costs nothing where it is unused. */
  monitorOpen(): Promise<void>;
  /** Deletes what has served its time. */
  forgetOld(): Promise<void>;
}
