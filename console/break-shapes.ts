export type BreakState = 'OPEN' | 'EXPLAINED' | 'RESOLVED';

export interface Break {
  readonly break_id: number;
  readonly rail: string;
  readonly reference: string;
  readonly kind: string;
  readonly asset: string;
  readonly cause: string;
  readonly state: BreakState;
  readonly our_amount: string | null;
  readonly our_time: string | null;
  readonly their_amount: string | null;
  readonly their_time: string | null;
  readonly client_id: number | null;
  readonly found_at: string;
  readonly age_seconds: number;
  readonly note: string | null;
}

export interface Rail {
  readonly rail: string;
  readonly compared_until: string;
  readonly failing_since: string | null;
  readonly failure: string | null;
}
