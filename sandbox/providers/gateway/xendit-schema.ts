import { type Static, type TSchema, Type } from 'typebox';

/**
 * What Xendit takes, by the types of its own library (xendit-node 7.0.0). What is optional there is optional here, and
 * fields that the sandbox does not play are taken. The limits of channels are made up: theirs are not published as text.
 */

const Reference = Type.String({ minLength: 1, maxLength: 255 });
const Text = Type.String({ maxLength: 1000 });
const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

/** `POST /v2/invoices`. Its own libraries send the duration as text. */
export const CreateInvoice = Type.Object({
  external_id: Reference,
  amount: Type.Number({ exclusiveMinimum: 0, maximum: 1e15 }),
  currency: optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  description: optional(Text),
  invoice_duration: optional(
    Type.Union([
      Type.Number({ minimum: 1, maximum: 31_536_000 }),
      Type.String({ pattern: '^[1-9]\\d{0,7}$' }),
    ]),
  ),
  payment_methods: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 100 }),
  ),
});
export type CreateInvoice = Static<typeof CreateInvoice>;

/** `POST /v2/payouts`, with the header `idempotency-key`. */
export const CreatePayout = Type.Object({
  reference_id: Reference,
  channel_code: Type.String({ minLength: 1, maxLength: 100 }),
  channel_properties: Type.Object({
    account_number: Type.String({ minLength: 1, maxLength: 100 }),
    account_holder_name: optional(Type.String({ maxLength: 255 })),
  }),
  amount: Type.Number({ exclusiveMinimum: 0 }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  description: optional(Type.String({ maxLength: 100 })),
  metadata: optional(Type.Object({})),
});
export type CreatePayout = Static<typeof CreatePayout>;

export const ListedInvoices = Type.Object({
  external_id: Type.Optional(Reference),
  limit: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,2}$' })),
});
export const ListedPayouts = Type.Object({ reference_id: Reference });

/** The ways to pay of an Indonesian account, all of which are offered where an invoice names none. */
export const ALL_METHODS = [
  ...['QRIS', 'BCA', 'BNI', 'BRI', 'MANDIRI', 'PERMATA', 'BSI', 'CIMB'],
  ...['OVO', 'DANA', 'SHOPEEPAY', 'LINKAJA'],
];
/** Where a duration is not asked for. */
export const DAY_S = 86_400;

/** Where it pays out to: a part of its channels. RTGS has no upper end, BI-FAST takes 250 million. */
export const PAYOUT_CHANNELS = [
  ...['BCA', 'BNI', 'BRI', 'MANDIRI', 'PERMATA', 'BSI', 'CIMB', 'DANAMON', 'BTN', 'OCBC'].map(
    (code) => channel(code, 'BANK', 1_999_999_999_999),
  ),
  ...['OVO', 'DANA', 'SHOPEEPAY', 'LINKAJA'].map((code) => channel(code, 'EWALLET', 20_000_000)),
];

function channel(code: string, channel_category: 'BANK' | 'EWALLET', maximum: number) {
  return {
    channel_code: `ID_${code}`,
    channel_category,
    currency: 'IDR',
    channel_name: code,
    amount_limits: { minimum: 10_000, maximum, minimum_increment: 1 },
  };
}
