import { Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import {
  explained,
  Id,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import { format } from '#kernel/money/money.ts';
import {
  ADJUSTMENT_STATUSES,
  type Adjustment,
  type AdjustmentStatus,
  DIRECTIONS,
  KINDS,
} from './store.ts';

/** A proposal and its outcome, as every answer shows it. */
export const ShownAdjustment = named('Adjustment', {
  adjustment_id: Uuid,
  kind: oneOfWords(KINDS),
  status: oneOfWords(ADJUSTMENT_STATUSES),
  reason: Type.String(),
  of: explained(TextOrNull, 'Of a reversal, the reference of the transfer that it undoes'),
  user_id: Nullable(Id),
  wallet_id: Nullable(Id),
  direction: Nullable(oneOfWords(DIRECTIONS)),
  amount: Type.String(),
  currency: Type.String(),
  entries: explained(
    Type.Array(Type.Object({ account: Type.String(), amount: Type.String() })),
    'Units that the correction adds to each account; below zero where it takes them',
  ),
  reference: explained(
    TextOrNull,
    'The transfer that it reverses or has posted; null until it is booked',
  ),
  proposed_by: explained(Id, 'The admin who proposed it'),
  created_at: Timestamp,
  expires_at: explained(Timestamp, 'Another admin has to decide before'),
  decided_by: Nullable(Id),
  decided_at: Nullable(Timestamp),
  decision_note: explained(TextOrNull, 'Why it was rejected'),
});

/** The key of its posting in the ledger and in statements. */
export const adjustmentReferenceOf = ({
  kind,
  adjustment_id,
}: Pick<Adjustment, 'kind' | 'adjustment_id'>) => `${kind}:${adjustment_id}`;

/** A proposal expires at its time, also before the schedule has run. */
export const statusOf = ({ status, expires_at }: Adjustment, now: Date): AdjustmentStatus =>
  status === 'PROPOSED' && Date.parse(expires_at) <= now.getTime() ? 'EXPIRED' : status;

export const shownAdjustment = (row: Adjustment, now: Date) => ({
  ...row,
  status: statusOf(row, now),
  of: row.of_reference,
  amount: format({ asset: row.asset, units: row.units }),
  currency: row.asset,
  entries: [...row.entries],
  reference: row.status === 'BOOKED' ? adjustmentReferenceOf(row) : null,
});
