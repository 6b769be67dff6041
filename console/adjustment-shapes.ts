import type { FIAT } from '#features/fiat/fiat-wallets/currencies.ts';

export const ADJUSTMENT_STATUSES = [
  'PROPOSED',
  'BOOKED',
  'REJECTED',
  'WITHDRAWN',
  'EXPIRED',
  'VOIDED',
] as const;
export type AdjustmentStatus = (typeof ADJUSTMENT_STATUSES)[number];
export type Direction = 'credit' | 'debit';

export interface OneAdjustment {
  readonly adjustment_id: string;
}

export interface Adjustment extends OneAdjustment {
  readonly kind: 'reversal' | 'adjustment';
  readonly status: AdjustmentStatus;
  readonly reason: string;
  readonly of: string | null;
  readonly user_id: number | null;
  readonly wallet_id: number | null;
  readonly direction: Direction | null;
  readonly amount: string;
  readonly currency: string;
  readonly entries: readonly { readonly account: string; readonly amount: string }[];
  readonly reference: string | null;
  readonly proposed_by: number;
  readonly created_at: string;
  readonly expires_at: string;
  readonly decided_by: number | null;
  readonly decided_at: string | null;
  readonly decision_note: string | null;
}

/** With what the reader may do about it. */
export interface AdjustmentToDecide extends Adjustment {
  readonly you_may: readonly ('approve' | 'reject' | 'withdraw')[];
}

export type Proposal =
  | { readonly kind: 'reversal'; readonly of: string; readonly reason: string }
  | {
      readonly kind: 'adjustment';
      readonly wallet_id: number;
      readonly direction: Direction;
      readonly amount: string;
      readonly currency: (typeof FIAT)[number];
      readonly reason: string;
    };
