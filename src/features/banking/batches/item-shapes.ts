import { type Static, Type } from 'typebox';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { explained, Nullable, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import { type Doubt, shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { CurrencyField, MoneyText } from '#kernel/money/amount-fields.ts';
import { format, type Money } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import { type BatchItem, ITEM_STATUSES } from './items-store.ts';
import { receivedOfItem } from './quoted.ts';

export const ShownItem = named('BatchItem', {
  item_id: objectIdField('itm'),
  batch_id: objectIdField('bat'),
  line: explained(Type.Integer(), 'Of what was sent, from 1 on'),
  recipient: named('BatchRecipient', {
    recipient_id: explained(Nullable(objectIdField('rcp')), 'Null where the line named an account'),
    name: Type.String(),
    detail: explained(Type.String(), 'The bank and the last digits of the account, or the wallet'),
  }),
  amount: explained(MoneyText, 'What leaves the wallet; the fee comes on top'),
  currency: CurrencyField,
  received: explained(
    named('BatchItemReceived', { amount: MoneyText, currency: CurrencyField }),
    'What arrives: by a quote in its currency',
  ),
  fee: MoneyText,
  reference: explained(Type.String(), 'The caller’s: never paid twice over all batches'),
  note: TextOrNull,
  payment_id: explained(
    Nullable(objectIdField('itm')),
    'By which its payment is read; null before it has begun',
  ),
  provider_reference: explained(TextOrNull, 'The bank’s own number of the transfer'),
  returned: explained(
    Nullable(
      named('ReturnedItem', {
        reason_code: explained(Type.String(), 'The bank’s code'),
        amount: explained(MoneyText, 'What was credited'),
        currency: explained(CurrencyField, 'Of the wallet that was credited'),
        at: Timestamp,
      }),
    ),
    'What came back after it had arrived',
  ),
  ...stateFields(ITEM_STATUSES),
});

/** A payment of a batch as it is answered and as events carry it. */
export const shownItem = (row: BatchItem, doubt?: Doubt | undefined): Static<typeof ShownItem> => ({
  item_id: row.our_reference,
  batch_id: objectId('bat', row.batch_id),
  line: row.line,
  recipient: {
    recipient_id: row.recipient_id === null ? null : objectId('rcp', row.recipient_id),
    name: row.payee_name,
    detail: row.payee_detail,
  },
  amount: format({ asset: row.currency, units: row.amount }),
  currency: row.currency,
  received: shownUnits(receivedOfItem(row)),
  fee: format({ asset: row.currency, units: row.fee }),
  reference: row.reference,
  note: row.note,
  payment_id: row.begun_at === null ? null : row.our_reference,
  provider_reference: row.provider_reference,
  returned: row.returned as Static<typeof ShownItem>['returned'],
  ...shownState(row, {
    doubt,
    waits: row.status === 'PROCESSING' ? 'waiting_for_provider' : undefined,
  }),
});

const shownUnits = (money: Money<Fiat>) => ({ amount: format(money), currency: money.asset });
