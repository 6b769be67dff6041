import { type Static, Type } from 'typebox';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { explained, Id, Nullable, oneOfWords, Timestamp } from '#kernel/http/declare/schema.ts';
import { type Substatus, shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { CurrencyField, MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import { NAMELESS, type ObjectNames } from '#kernel/object-names/object-names.ts';
import type { ItemSums } from './items-store.ts';
import { BATCH_STATUSES, FUNDINGS, type PaymentBatch } from './store.ts';

const RowFault = named('BatchRowError', {
  line: explained(Type.Integer(), 'Of what was sent, from 1 on'),
  field: Type.String(),
  message: Type.String(),
});

export const ShownBatch = named('Batch', {
  batch_id: objectIdField('bat'),
  name: Type.String(),
  wallet_id: explained(Id, 'The wallet that pays'),
  user_id: Id,
  currency: explained(CurrencyField, 'Of the wallet'),
  received: explained(
    named('BatchReceived', { amount: MoneyText, currency: CurrencyField }),
    'What arrives of all of it: by a quote in its currency',
  ),
  quote_id: explained(Nullable(objectIdField('qte')), 'By which another currency is paid'),
  funding: explained(
    oneOfWords(FUNDINGS),
    '`at_approval` holds everything at once, `per_item` each payment before it goes',
  ),
  execute_at: explained(Nullable(Timestamp), 'When it was asked to be paid'),
  executes_at: explained(Nullable(Timestamp), 'From when on it is paid, or was'),
  count: explained(Type.Integer(), 'Payments; rows with errors are not among them'),
  total: explained(MoneyText, 'What leaves the wallet'),
  fees: explained(MoneyText, 'On top of it'),
  completed_count: Type.Integer(),
  failed_count: Type.Integer(),
  cancelled_count: Type.Integer(),
  returned_count: explained(Type.Integer(), 'What had arrived and came back'),
  completed_total: explained(
    MoneyText,
    'What the wallet has paid for what arrived, returned payments not counted',
  ),
  errors: explained(Type.Array(RowFault), 'Rows that cannot be paid: up to a thousand are listed'),
  content_hash: explained(
    Type.String({ pattern: '^[0-9a-f]{64}$' }),
    'Over lines and terms: submissions and approvals name it',
  ),
  submitted_by: explained(Nullable(Id), 'The user who has submitted it, and cannot approve it'),
  ...namesShown,
  ...stateFields(BATCH_STATUSES),
});

/** What else is known when one is read. */
export interface BatchFacts {
  readonly sums: readonly ItemSums[];
  readonly names?: ObjectNames | undefined;
}

/** A batch as it is answered and as events carry it. */
export function shownBatch(
  row: PaymentBatch,
  now: Date,
  { sums, names: { reference, metadata } = NAMELESS }: BatchFacts,
): Static<typeof ShownBatch> {
  const money = (units: bigint) => format({ asset: row.currency, units });
  const of = (status: ItemSums['status']) => sums.find((one) => one.status === status);
  return {
    batch_id: row.our_reference,
    name: row.name,
    wallet_id: row.wallet_id,
    user_id: row.user_id,
    currency: row.currency,
    received: receivedOf(row),
    quote_id: row.quote_id === null ? null : objectId('qte', row.quote_id),
    funding: row.funding,
    execute_at: row.execute_at,
    executes_at: row.due_at ?? row.execute_at,
    count: row.item_count,
    total: money(row.total),
    fees: money(row.fees),
    completed_count: of('COMPLETED')?.count ?? 0,
    failed_count: of('FAILED')?.count ?? 0,
    cancelled_count: of('CANCELLED')?.count ?? 0,
    returned_count: of('RETURNED')?.count ?? 0,
    completed_total: money(BigInt(of('COMPLETED')?.amount ?? 0)),
    errors: [...row.errors],
    content_hash: row.content_hash,
    submitted_by: row.submitted_by,
    reference,
    metadata,
    ...shownState(row, { waits: batchWaitsFor(row, now) }),
  };
}

function batchWaitsFor(row: PaymentBatch, now: Date): Substatus | undefined {
  if (row.status === 'PENDING_APPROVAL') return 'waiting_for_approval';
  if (row.status === 'PROCESSING')
    return row.lacks_since === null ? 'waiting_for_provider' : 'waiting_for_funds';
  if (row.status !== 'SCHEDULED') return undefined;
  return row.held_until !== null && new Date(row.held_until) > now ? 'held_by_policy' : 'scheduled';
}

function receivedOf({ currency, total, received_currency, received_total }: PaymentBatch) {
  const asset = received_currency ?? currency;
  return { amount: format({ asset, units: received_total ?? total }), currency: asset };
}
