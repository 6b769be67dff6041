import type { Address } from 'viem';
import type { How } from '../plan/extras.ts';

/** The effects of the flows in every run. */
export type ExtraEffect =
  /** A card's money into the wallet that is frozen at times, and out of it. */
  | { readonly kind: 'savings-in'; readonly user: number; readonly cents: bigint }
  | { readonly kind: 'savings-out'; readonly user: number; readonly cents: bigint }
  /** An admin has frozen that wallet, or released it. */
  | { readonly kind: 'freeze'; readonly user: number; readonly what: 'stopped' | 'let_in' }
  /** An approved correction; negative if it was reversed. */
  | {
      readonly kind: 'correction';
      readonly user: number;
      readonly cents: bigint;
      readonly entry: 'adjustment' | 'reversal';
    }
  /** A card's money into the wallet of a guest, by the name of the guest's flow, and out of it. */
  | { readonly kind: 'guest-in'; readonly guest: string; readonly cents: bigint }
  | { readonly kind: 'guest-out'; readonly guest: string; readonly cents: bigint }
  /** From one user to another. */
  | {
      readonly kind: 'wallet-transfer';
      readonly user: number;
      readonly receiver: number;
      readonly cents: bigint;
    }
  /** To an account at a bank; the fee comes on top. */
  | { readonly kind: 'withdrawal'; readonly user: number; readonly cents: bigint }
  /** A batch of payments to a bank was approved; the fee of each comes on top. */
  | { readonly kind: 'wages'; readonly user: number; readonly wages: readonly Wage[] }
  /** A guest or their client was stopped, or reinstated. */
  | { readonly kind: 'stop'; readonly guest: string; readonly what: 'stopped' | 'let_in' }
  /** A guest's proposal or order, which a stop has to void. */
  | { readonly kind: 'guest-proposal'; readonly guest: string; readonly reason: string }
  | { readonly kind: 'guest-order'; readonly guest: string }
  /** A card payment, and the network's later action. */
  | {
      readonly kind: 'charge-in';
      readonly user: number;
      readonly cents: bigint;
      readonly fate: 'kept' | 'charged' | 'won';
    }
  /** Our refund of a part of such a payment. */
  | {
      readonly kind: 'charge-refund';
      readonly user: number;
      readonly cents: bigint;
      readonly reference_id: string;
    }
  /** A purchase of rupiah tokens that is not paid as ordered. */
  | {
      readonly kind: 'late-payment';
      readonly user: number;
      readonly rupiah: number;
      readonly to: Address;
      readonly how: How;
    }
  /** The operator's action on unmatched money. */
  | {
      readonly kind: 'late-act';
      readonly user: number;
      readonly reference: string;
      readonly payment_id: number;
      readonly act: LateAct;
    };

/** A payment of a batch, by the caller’s own name. */
export interface Wage {
  readonly reference: string;
  readonly cents: bigint;
}

export type LateAct = 'assign' | 'refund' | 'mark-refunded';
