export const PAYMENT_STATUSES = [
  ...(['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'RETURNED', 'REFUNDED'] as const),
  ...(['PARTIALLY_REFUNDED', 'DISPUTED'] as const),
] as const;
type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
export type PaymentDirection = 'in' | 'out' | 'internal';

/** The filters of the list that are in its address, all as text. */
export const PAYMENT_FILTERS = [
  ...(['q', 'status', 'substatus', 'in_doubt', 'rail', 'direction', 'currency'] as const),
  ...(['amount_from', 'amount_to', 'created_from', 'created_to', 'user_id', 'wallet_id'] as const),
  ...(['reference', 'provider_reference'] as const),
] as const;
type PaymentFilter = (typeof PAYMENT_FILTERS)[number];
export type PaymentSearch = { readonly [name in PaymentFilter]?: string };

export interface PaymentQuery
  extends Omit<PaymentSearch, 'status' | 'direction' | 'in_doubt' | 'user_id' | 'wallet_id'> {
  readonly limit?: number;
  readonly cursor?: string;
  readonly time_zone?: string;
  readonly status?: PaymentStatus;
  readonly direction?: PaymentDirection;
  readonly in_doubt?: 'true';
  readonly user_id?: number;
  readonly wallet_id?: number;
}

/** A movement of money over any rail. */
export interface Payment {
  readonly payment_id: string;
  readonly rail: string;
  readonly kind: string;
  readonly direction: PaymentDirection;
  readonly amount: string;
  readonly currency: string;
  readonly fee: string;
  readonly wallet_id: number | null;
  readonly user_id: number | null;
  readonly counterparty: { readonly name: string | null; readonly detail: string | null };
  readonly reference: string | null;
  /** Texts by their names. */
  readonly metadata: object;
  readonly our_reference: string;
  readonly provider_reference: string | null;
  readonly object: { readonly type: string; readonly id: string };
  readonly refunded_amount: string;
  readonly status: PaymentStatus;
  readonly substatus: string | null;
  readonly status_times: {
    readonly [status in PaymentStatus as `${Lowercase<status>}_at`]?: string;
  };
  readonly failure: {
    readonly code: string;
    readonly message: string;
    readonly retryable: boolean;
  } | null;
  readonly in_doubt_since: string | null;
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}

export interface OnePayment {
  readonly payment_id: string;
}

/** An entry of a payment's timeline, without its contents. */
export interface PaymentMoment {
  readonly at: string;
  readonly by: 'you' | 'another' | 'platform' | 'provider' | 'chain';
  readonly what: string;
  readonly text: string;
  readonly status: string | null;
  readonly amount: string | null;
  readonly hash: string | null;
  readonly explorer_url: string | null;
}
