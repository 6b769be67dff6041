import { type Static, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { explained, Id, Nullable, oneOfWords, TextOrNull } from '#kernel/http/declare/schema.ts';
import { type Substatus, shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { CurrencyField, MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import {
  INVOICE_UNMATCHED_REASONS,
  INVOICE_UNMATCHED_STATUSES,
  type UnmatchedMoney,
} from './store.ts';

/** Money that pays no invoice, and what has become of it. */
export const ShownUnmatched = named('UnmatchedInvoiceMoney', {
  unmatched_id: objectIdField('unm'),
  invoice_id: explained(objectIdField('inv'), 'The invoice that it was meant for'),
  payment_id: explained(objectIdField('ipm'), 'The payment by which it has come in'),
  user_id: explained(Id, 'The merchant'),
  amount: explained(MoneyText, 'What has come in, or what of it was too much'),
  owed: explained(MoneyText, 'What of it is still to be assigned or given back'),
  currency: CurrencyField,
  method: Type.String(),
  reason: oneOfWords(INVOICE_UNMATCHED_REASONS),
  receipt: explained(Type.String(), 'The gateway’s name of the money'),
  assigned_invoice_id: explained(
    Nullable(objectIdField('inv')),
    'The invoice that it was assigned to',
  ),
  settled_note: explained(TextOrNull, 'How it was settled without a refund of ours'),
  ...stateFields(INVOICE_UNMATCHED_STATUSES),
});

const WAITS: Partial<Record<UnmatchedMoney['status'], Substatus>> = {
  OPEN: 'waiting_for_person',
  REFUNDING: 'waiting_for_provider',
};

export function shownUnmatchedMoney(row: UnmatchedMoney): Static<typeof ShownUnmatched> {
  const money = (units: bigint) => format({ asset: row.currency, units });
  return {
    unmatched_id: row.object_id,
    invoice_id: row.invoice,
    payment_id: row.payment,
    user_id: row.user_id,
    amount: money(row.amount),
    owed: money(row.owed),
    currency: row.currency,
    method: row.method,
    reason: row.reason,
    receipt: row.receipt,
    assigned_invoice_id: row.assigned_to,
    settled_note: row.settled_note,
    ...shownState(row, { waits: WAITS[row.status] }),
  };
}

const UUID = '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30';
const AT = '2026-11-22T03:00:58.447Z';

const unmatched = defineEvents(
  'invoice_payment',
  {
    schema: ShownUnmatched,
    since: '2026-11',
    example: {
      unmatched_id: objectId('unm', UUID),
      invoice_id: objectId('inv', UUID),
      payment_id: objectId('ipm', UUID),
      user_id: 3,
      amount: '50000.00',
      owed: '50000.00',
      currency: 'IDR',
      method: 'va',
      reason: 'LATE',
      receipt: 'py-6380f2b1c2d3e4f5a6b7c8d9',
      assigned_invoice_id: null,
      settled_note: null,
      status: 'OPEN',
      substatus: 'waiting_for_person',
      status_times: { open_at: AT },
      failure: null,
      in_doubt_since: null,
      next_attempt_at: null,
      version: 1,
      created_at: AT,
      updated_at: AT,
    },
  },
  {
    unmatched:
      'Money has come in that pays no invoice: late, once more, too little or too much; or its refund has failed',
    refunding: 'Such money is on its way back to its payer',
    assigned: 'Such money was given to an invoice',
    refunded: 'Such money has gone back to its payer',
    written_off: 'The operator has written such money off',
  },
);

export const INVOICE_UNMATCHED_EVENTS = Object.values(unmatched);

/** In the transaction that changes what is owed. */
export function emitUnmatchedMoney(
  tx: Db,
  verb: keyof typeof unmatched,
  row: UnmatchedMoney,
): void {
  const { client_id, user_id, object_id: id } = row;
  emit(tx, unmatched[verb], { client_id, user_id, id, data: shownUnmatchedMoney(row) });
}
