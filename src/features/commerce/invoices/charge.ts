import { feeOf } from '#features/fiat/fees/fees.ts';
import type { Db } from '#kernel/db/db.ts';
import { type InvoiceMethod, isGatewayMethod, type NewInvoicePayment } from './payment-store.ts';
import type { MerchantInvoice } from './store.ts';

type Charge = Pick<NewInvoicePayment, 'amount' | 'fee' | 'net' | 'fee_terms'>;

/** A whole rupiah: the gateway takes no cents. */
const RUPIAH = 100n;

/**
 * What a payment of all that is owed costs, by the fees of the moment. What is promised to others comes first: a fee
 * that has risen since the invoice was made takes no more than what is left of it.
 */
export async function invoiceCharge(
  tx: Db,
  invoice: MerchantInvoice,
  method: InvoiceMethod,
): Promise<Charge> {
  const { client_id, currency, amount, paid, fee_bearer } = invoice;
  const rest = amount - paid;
  const asked = { asset: currency, units: rest };
  const { units, terms } = await feeOf(tx, { client_id, rail: 'invoice', method, amount: asked });
  if (fee_bearer === 'customer') {
    const all = rest + units;
    const whole = isGatewayMethod(method) ? all + ((RUPIAH - (all % RUPIAH)) % RUPIAH) : all;
    return { amount: whole, fee: whole - rest, net: rest, fee_terms: terms };
  }
  const left = leftForFees(invoice);
  const fee = lesser(units, left);
  return { amount: rest, fee, net: rest - fee, fee_terms: terms };
}

/** Where the merchant bears the fees: what is not promised to others, and not taken by earlier parts. */
const leftForFees = ({ amount, splits, payments }: MerchantInvoice): bigint =>
  amount -
  splits.reduce((sum, split) => sum + split.amount, 0n) -
  arrivedParts({ payments }).reduce((sum, { fee }) => sum + fee, 0n);

/** Payments that have arrived, the earliest first. */
export const arrivedParts = ({ payments }: Pick<MerchantInvoice, 'payments'>) =>
  payments.filter(({ status }) => status === 'SUCCEEDED');

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

interface Counted {
  /** Of what has come in. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly net: bigint;
  /** Of what the invoice asks for. */
  readonly credited: bigint;
  /** Too much. */
  readonly surplus: bigint;
}

/** What money does for an invoice, by the charge of the payment for which it has come in. */
export function countedOf(
  invoice: MerchantInvoice,
  asked: Pick<Charge, 'amount' | 'fee' | 'net'>,
  units: bigint,
): Counted {
  const rest = invoice.amount - invoice.paid;
  if (invoice.fee_bearer === 'merchant') {
    const credited = lesser(units, rest);
    const scaled = credited === asked.amount ? asked.fee : (asked.fee * credited) / asked.amount;
    const left = leftForFees(invoice);
    const fee = lesser(scaled, left);
    return { amount: credited, fee, net: credited - fee, credited, surplus: units - credited };
  }
  const meant = units >= asked.amount ? asked.net : (units * asked.net) / asked.amount;
  const credited = lesser(meant, rest);
  const price = credited === asked.net ? asked.amount : (asked.amount * credited) / asked.net;
  const isShort = units < asked.amount && meant <= rest;
  const amount = isShort || price > units ? units : price;
  return { amount, fee: amount - credited, net: credited, credited, surplus: units - amount };
}
