import { Type } from 'typebox';
import { fail } from '#kernel/error.ts';
import { named } from '#kernel/http/declare/named.ts';
import { explained, Id, TextOrNull, Timestamp, text } from '#kernel/http/declare/schema.ts';
import { format, toWire } from '#kernel/money/money.ts';
import type { Mint } from './purchase/store.ts';
import type { Redeem } from './redemption/store.ts';

/** Units of IDR as the JSON number that callers get. */
export const idrTokenRupiahOf = (units: bigint): number => toWire({ asset: 'IDR', units });
const tokensOf = (units: bigint): string => format({ asset: 'IDRT', units });

/** Beyond the contract: a payment does not pay the purchase. */
export const PaymentNote = explained(
  TextOrNull,
  'Money came in that does not pay it and waits for the operator: `LATE`, `UNDERPAID`, `OVERPAID`, `PAID_ALREADY` ' +
    '(once more); `REFUNDED` when it has gone back',
);

/** Contract part 3, Resources: mint record. */
export const IdrTokenMintRecord = named('IdrTokenMint', {
  id: Id,
  reference_id: Type.String(),
  amount_idr: Type.Number(),
  amount_token: Type.String(),
  fee_amount: Type.Number(),
  total_amount_idr: Type.Number(),
  payment_method: Type.String(),
  status: Type.String(),
  payment_status: Type.String(),
  payment_note: PaymentNote,
  created_at: Timestamp,
  expired_at: Timestamp,
});

export const mintRecord = (row: Mint) => ({
  id: row.mint_id,
  reference_id: row.reference_id,
  amount_idr: idrTokenRupiahOf(row.amount_idr),
  amount_token: tokensOf(row.amount_token),
  fee_amount: idrTokenRupiahOf(row.fee_amount),
  total_amount_idr: idrTokenRupiahOf(row.total_amount_idr),
  payment_method: row.payment_method,
  status: row.status,
  payment_status: row.payment_status,
  payment_note: row.payment_note,
  created_at: row.created_at,
  expired_at: row.expired_at,
});

/** The same: redeem record. */
export const IdrTokenRedeemRecord = named('IdrTokenRedemption', {
  id: Id,
  reference_id: Type.String(),
  amount_token: Type.String(),
  amount_idr: Type.Number(),
  fee_amount: Type.Number(),
  net_amount_idr: Type.Number(),
  bank_name: Type.String(),
  bank_account_number: Type.String(),
  status: Type.String(),
  bank_transfer_status: Type.String(),
  created_at: Timestamp,
});

export const redeemRecord = (row: Redeem) => ({
  id: row.redeem_id,
  reference_id: row.reference_id,
  amount_token: tokensOf(row.amount_token),
  amount_idr: idrTokenRupiahOf(row.amount_idr),
  fee_amount: idrTokenRupiahOf(row.fee_amount),
  net_amount_idr: idrTokenRupiahOf(row.net_amount_idr),
  bank_name: row.bank_name,
  bank_account_number: row.bank_account_number,
  status: row.status,
  bank_transfer_status: row.bank_transfer_status,
  created_at: row.created_at,
});

/** The first fields of every answer about a purchase or a redemption. */
export const Sums = {
  referenceId: Type.String(),
  amount: Type.Number(),
  fee: Type.Number(),
  status: Type.String(),
};

type Summed = Pick<Mint | Redeem, 'reference_id' | 'amount_idr' | 'fee_amount' | 'status'>;

export const sumsOf = ({ reference_id, amount_idr, fee_amount, status }: Summed) => ({
  referenceId: reference_id,
  amount: idrTokenRupiahOf(amount_idr),
  fee: idrTokenRupiahOf(fee_amount),
  status,
});

/** The parameter of a request for one flow. */
export const ByReference = Type.Object({ reference_id: text(100) });

/** The found record; throws TRANSACTION_NOT_FOUND where there is none in scope. */
export function requireRecord<Row>(row: Row | undefined): Row {
  if (row === undefined) throw fail('TRANSACTION_NOT_FOUND', 'Transaction not found');
  return row;
}
