/** A call whose outcome is unknown. */
export interface InDoubt {
  readonly kind: string;
  readonly id: string;
  readonly since: string;
  readonly calls: number;
  readonly look_ups: number;
  readonly is_overdue: boolean;
  readonly note: string | null;
}

/** A payment that was returned twice. */
export interface ReturnedTwice {
  readonly payment: string;
  readonly currency: string;
  readonly amount: string;
  readonly since: string;
}

/** A payment of which another side reports another sum than our books. */
export interface Discrepant {
  readonly cause: 'ANOTHER_SUM' | 'REVERSED_AFTER_REFUND';
  readonly kind: string;
  readonly id: string;
  readonly currency: string;
  readonly ours: string;
  readonly theirs: string;
  readonly since: string;
}
