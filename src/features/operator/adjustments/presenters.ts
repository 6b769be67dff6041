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

/** A proposal, and what became of it, wherever one is shown. */
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
    'What each account gets by it, less than nothing where it gives',
  ),
  reference: explained(TextOrNull, 'Of what was posted; null until it is booked'),
  proposed_by: explained(Id, 'The admin who wants it'),
  created_at: Timestamp,
  expires_at: explained(Timestamp, 'Until then somebody else has to have decided'),
  decided_by: Nullable(Id),
  decided_at: Nullable(Timestamp),
  decision_note: explained(TextOrNull, 'Why it was rejected'),
});

/** By which its posting is known in the ledger and in statements. */
export const adjustmentReferenceOf = ({
  kind,
  adjustment_id,
}: Pick<Adjustment, 'kind' | 'adjustment_id'>) => `${kind}:${adjustment_id}`;

/** A proposal is over when its time is, whether or not the schedule has come by. */
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
