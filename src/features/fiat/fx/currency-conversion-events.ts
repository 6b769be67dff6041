import { type Static, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { explained, Id, Nullable, oneOfWords } from '#kernel/http/declare/schema.ts';
import { shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import type { ObjectNames } from '#kernel/object-names/object-names.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import {
  CURRENCY_CONVERSION_STATUSES,
  type CurrencyConversion,
} from './currency-conversion-store.ts';
import { perOne, QuotableField } from './quote-shape.ts';

export type NamedConversion = CurrencyConversion & { readonly names: ObjectNames };

const AT = '2026-11-22T03:00:58.447Z';
const UUID = '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30';

export const ShownConversion = named('CurrencyConversion', {
  conversion_id: objectIdField('cnv'),
  rail: oneOfWords(['fx']),
  quote_id: objectIdField('qte'),
  from_wallet_id: Id,
  to_wallet_id: Id,
  from_amount: MoneyText,
  from_currency: QuotableField,
  to_amount: MoneyText,
  to_currency: QuotableField,
  rate: explained(Type.String(), 'Of the two amounts: what one of the first currency buys'),
  fee: explained(MoneyText, 'On top of what is sold, in its currency'),
  reverses: explained(Nullable(objectIdField('cnv')), 'The conversion that it takes back'),
  reversed_by: explained(Nullable(objectIdField('cnv')), 'The conversion that has taken it back'),
  ...namesShown,
  ...stateFields(CURRENCY_CONVERSION_STATUSES),
});

/** A conversion as GET answers it. */
export function shownConversion(row: NamedConversion): Static<typeof ShownConversion> {
  const from = { asset: row.from_currency, units: row.from_units };
  const to = { asset: row.to_currency, units: row.to_units };
  return {
    conversion_id: row.object_id,
    rail: 'fx',
    quote_id: objectId('qte', row.quote_id),
    from_wallet_id: row.from_wallet_id,
    to_wallet_id: row.to_wallet_id,
    from_amount: format(from),
    from_currency: row.from_currency,
    to_amount: format(to),
    to_currency: row.to_currency,
    rate: perOne(from, to),
    fee: format({ asset: row.from_currency, units: row.fee }),
    reverses: row.reverses === null ? null : objectId('cnv', row.reverses),
    reversed_by: row.reversed_by,
    reference: row.names.reference,
    metadata: row.names.metadata,
    ...shownState(row),
  };
}

/** Conversions between wallets as payments. */
export const CURRENCY_CONVERSION_PAYMENTS: PaymentSource = {
  view: 'payment_of_currency_conversions',
  rail: 'fx',
  key: { column: 'object_key', type: 'text' },
  names: [],
  href: (id) => `/fx/conversions/${id}`,
};

const conversions = defineObject<NamedConversion, typeof ShownConversion>({
  schema: ShownConversion,
  since: '2026-11',
  payment: CURRENCY_CONVERSION_PAYMENTS,
  example: {
    conversion_id: objectId('cnv', UUID),
    rail: 'fx',
    quote_id: objectId('qte', UUID),
    from_wallet_id: 3,
    to_wallet_id: 4,
    from_amount: '100.00',
    from_currency: 'USD',
    to_amount: '1579612.25',
    to_currency: 'IDR',
    rate: '15796.1225',
    fee: '0.00',
    reverses: null,
    reversed_by: null,
    reference: 'invoice-2041',
    metadata: {},
    status: 'COMPLETED',
    substatus: null,
    status_times: { completed_at: AT },
    failure: null,
    in_doubt_since: null,
    next_attempt_at: null,
    version: 1,
    created_at: AT,
    updated_at: AT,
  },
  key: ({ client_id, user_id, object_id: id }) => ({ client_id, user_id, id }),
  show: shownConversion,
});

const payment = conversions.events('payment', {
  succeeded: 'Money was converted between two wallets',
});

export const CURRENCY_CONVERSION_EVENTS = payment.types;

/** In the transaction that makes it. */
export const emitCurrencyConversion = (tx: Db, row: NamedConversion): void =>
  payment.emit(tx, 'succeeded', row);
