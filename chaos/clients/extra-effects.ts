import type { Address } from 'viem';
import type { How } from '../plan/extras.ts';

/** What the flows do that every run has. */
export type ExtraEffect =
  /** A card's money into the wallet that is frozen now and then, and out of it. */
  | { readonly kind: 'savings-in'; readonly user: number; readonly cents: bigint }
  | { readonly kind: 'savings-out'; readonly user: number; readonly cents: bigint }
  /** An admin has frozen that wallet, or released it. */
  | { readonly kind: 'freeze'; readonly user: number; readonly what: 'stopped' | 'let_in' }
  /** What the operator's people have approved; less than nothing where it was undone. */
  | {
      readonly kind: 'correction';
      readonly user: number;
      readonly cents: bigint;
      readonly entry: 'adjustment' | 'reversal';
    }
  /** A card's money into the wallet of a guest, by the name of the guest's flow, and out of it. */
  | { readonly kind: 'guest-in'; readonly guest: string; readonly cents: bigint }
  | { readonly kind: 'guest-out'; readonly guest: string; readonly cents: bigint }
  /** A guest or their client was stopped, or let in again. */
  | { readonly kind: 'stop'; readonly guest: string; readonly what: 'stopped' | 'let_in' }
  /** What a guest has proposed or ordered, and a stop is to void. */
  | { readonly kind: 'guest-proposal'; readonly guest: string; readonly reason: string }
  | { readonly kind: 'guest-order'; readonly guest: string }
  /** A card payment, and what the network does about it later. */
  | {
      readonly kind: 'charge-in';
      readonly user: number;
      readonly cents: bigint;
      readonly fate: 'kept' | 'charged' | 'won';
    }
  /** A part of such a payment was given back by us. */
  | {
      readonly kind: 'charge-refund';
      readonly user: number;
      readonly cents: bigint;
      readonly reference_id: string;
    }
  /** A purchase of rupiah tokens that is not paid as asked. */
  | {
      readonly kind: 'late-payment';
      readonly user: number;
      readonly rupiah: number;
      readonly to: Address;
      readonly how: How;
    }
  /** What the operator has done with money that pays nothing. */
  | {
      readonly kind: 'late-act';
      readonly user: number;
      readonly reference: string;
      readonly payment_id: number;
      readonly act: LateAct;
    };

export type LateAct = 'assign' | 'refund' | 'mark-refunded';
