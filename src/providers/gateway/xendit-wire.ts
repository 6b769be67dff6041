import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { BookLine } from '#kernel/reconciliation/rail.ts';
import { refused } from '../../kernel/provider-call.ts';
import { meaningOf } from '../code-table.ts';
import type {
  BankAccount,
  GatewayNotification,
  GatewayPayment,
  PaymentMethod,
  Payout,
} from './port.ts';
import type { GatewayFailure } from './read-reply.ts';
import { XENDIT_INVOICES, XENDIT_PAYOUTS } from './xendit-codes.ts';

const Identifier = Type.String({ minLength: 1, maxLength: 100 });
const Reference = Type.String({ minLength: 1, maxLength: 255 });
const Moment = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT', maxLength: 40 });
/** Rupiah; most endpoints answer a number, the statement's documentation shows text as well. */
const Amount = Type.Union([Type.Number(), Type.String({ maxLength: 30 })]);

export const Invoice = Type.Object({
  id: Identifier,
  external_id: Reference,
  status: Type.String({ maxLength: 50 }),
  amount: Amount,
  paid_amount: Type.Optional(Type.Union([Amount, Type.Null()])),
  currency: Type.Optional(Type.String()),
  invoice_url: Type.String({ pattern: '^https?://', maxLength: 2000 }),
  // An account that numbers its virtual accounts itself answers banks without numbers.
  available_banks: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 100 })),
});

/** Digits alone: they are shown to people, who transfer money there. */
const VirtualAccount = Type.Object({
  bank_code: Type.String({ pattern: '^[A-Z_]{2,30}$' }),
  bank_account_number: Type.String({ pattern: '^\\d{6,30}$' }),
  account_holder_name: Type.String({ minLength: 1, maxLength: 100 }),
});
export type WireInvoice = Static<typeof Invoice>;

export const WirePayout = Type.Object({
  id: Identifier,
  reference_id: Reference,
  status: Type.String({ maxLength: 50 }),
  amount: Amount,
  currency: Type.Optional(Type.String()),
  channel_properties: Type.Optional(
    Type.Object({ account_number: Type.Optional(Type.String({ maxLength: 100 })) }),
  ),
  failure_code: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
export type WirePayout = Static<typeof WirePayout>;

export const XenditBalance = Type.Object({ balance: Amount });

/** A line of `GET /transactions`. */
export const Transaction = Type.Object({
  id: Identifier,
  product_id: Identifier,
  type: Type.String(),
  reference_id: Reference,
  currency: Type.String(),
  amount: Amount,
  cashflow: Type.String(),
  updated: Moment,
});
export const TransactionPage = Type.Object({
  has_more: Type.Boolean(),
  data: Type.Array(Transaction),
});

const InvoiceNews = Type.Object({ id: Identifier, external_id: Reference, status: Type.String() });
const PayoutNews = Type.Object({
  event: Type.String({ pattern: '^(?:v3_)?payout\\.', maxLength: 100 }),
  data: Type.Object({ id: Identifier, reference_id: Reference, status: Type.String() }),
});
const WireFailure = Type.Object({ error_code: Type.String(), message: Type.String() });

/** The channels that the page offers for each of our methods. */
export const CHANNELS: Readonly<Record<PaymentMethod, readonly string[]>> = {
  QRIS: ['QRIS'],
  VA: ['BCA', 'BNI', 'BRI', 'MANDIRI', 'PERMATA', 'BSI', 'CIMB'],
  EWALLET: ['OVO', 'DANA', 'SHOPEEPAY', 'LINKAJA'],
};

export const CENTS = refused(
  'AMOUNT_NOT_WHOLE',
  'The payment gateway takes whole rupiah only',
  400,
);

/** Units as whole rupiah; undefined where there are cents, which would be lost. */
export function rupiahOf(units: bigint): number | undefined {
  const rupiah = Number(units / 100n);
  return units % 100n === 0n && Number.isSafeInteger(rupiah) ? rupiah : undefined;
}

/** Their amount in units, exactly; undefined where it is no amount. */
export function xenditUnitsOf(amount: Static<typeof Amount>): bigint | undefined {
  const [, sign, whole, cents = ''] = /^(-?)(\d{1,18})(?:\.(\d{1,2})0*)?$/.exec(`${amount}`) ?? [];
  if (whole === undefined) return undefined;
  const units = BigInt(whole + cents.padEnd(2, '0'));
  return sign === '-' ? -units : units;
}

/** An invoice in our words; undefined where we do not understand it. */
export function paymentOf(invoice: WireInvoice): GatewayPayment | undefined {
  const { id, external_id: reference, invoice_url: paymentUrl, currency = 'IDR' } = invoice;
  const status = meaningOf(XENDIT_INVOICES, invoice.status);
  const amount = status === 'PAID' ? (invoice.paid_amount ?? invoice.amount) : invoice.amount;
  const units = xenditUnitsOf(amount);
  if (status === undefined || units === undefined || units <= 0n || currency !== 'IDR')
    return undefined;
  const accounts = accountsOf(invoice);
  return { id, reference, status, units, paymentUrl, ...(accounts.length > 0 && { accounts }) };
}

/** The virtual accounts that have a number. */
const accountsOf = ({ available_banks: banks = [] }: WireInvoice): BankAccount[] =>
  banks.flatMap((bank) =>
    Value.Check(VirtualAccount, bank)
      ? {
          bankCode: bank.bank_code,
          accountNumber: bank.bank_account_number,
          accountName: bank.account_holder_name,
        }
      : [],
  );

/** The same of a pay-out. */
export function payoutOf(payout: WirePayout): Payout | undefined {
  const { id, reference_id: reference, currency = 'IDR', failure_code } = payout;
  const status = meaningOf(XENDIT_PAYOUTS, payout.status);
  const units = xenditUnitsOf(payout.amount);
  if (status === undefined || units === undefined || units <= 0n || currency !== 'IDR')
    return undefined;
  const failureCode = failure_code || payout.status;
  return { id, reference, status, units, ...(status === 'FAILED' ? { failureCode } : {}) };
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['PAYMENT', 'payment'],
  ['DISBURSEMENT', 'payout'],
]);

/** A line of the statement in our form. */
export function lineOf(transaction: Static<typeof Transaction>): BookLine | undefined {
  const { id: line, reference_id: reference, type, currency, cashflow, updated } = transaction;
  const amount = xenditUnitsOf(transaction.amount);
  const at = new Date(updated);
  if (amount === undefined || currency !== 'IDR' || Number.isNaN(at.getTime())) return undefined;
  const size = amount < 0n ? -amount : amount;
  const units = cashflow === 'MONEY_OUT' ? -size : size;
  return { line, reference, kind: KINDS.get(type) ?? type.toLowerCase(), asset: 'IDR', units, at };
}

export function paymentNotification(
  body: unknown,
): GatewayNotification<GatewayPayment['status']> | undefined {
  if (!Value.Check(InvoiceNews, body)) return undefined;
  const status = meaningOf(XENDIT_INVOICES, body.status);
  if (status === undefined) return undefined;
  return { event: `${body.id}:${body.status}`, reference: body.external_id, status };
}

export function payoutNotification(
  body: unknown,
): GatewayNotification<Payout['status']> | undefined {
  if (!Value.Check(PayoutNews, body)) return undefined;
  const { event, data } = body;
  const status = meaningOf(XENDIT_PAYOUTS, data.status);
  if (status === undefined) return undefined;
  return { event: `${data.id}:${event}`, reference: data.reference_id, status };
}

/** The body of a refusal. */
export const xenditFailure = (json: unknown): GatewayFailure =>
  Value.Check(WireFailure, json) ? { code: json.error_code, message: json.message } : {};
