import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, oneOfWords, Timestamp } from '#kernel/http/declare/schema.ts';
import { keyedBy, type PaymentSource } from '#kernel/payments/payment-source.ts';
import { touchPayment } from '#kernel/payments/payment-writes.ts';
import {
  IdrTokenMintRecord,
  IdrTokenRedeemRecord,
  idrTokenRupiahOf,
  mintRecord,
  redeemRecord,
} from './presenters.ts';
import type { Mint } from './purchase/store.ts';
import type { Redeem } from './redemption/store.ts';
import type { IdrTokenRefund } from './refund/store.ts';

const rail = { rail: oneOfWords(['idr_token']) };
const RAIL = { rail: 'idr_token' as const };
const since = '2026-11';

/** Purchases of rupiah tokens as payments. */
export const IDR_MINT_PAYMENTS: PaymentSource = {
  view: 'payment_of_idr_mints',
  rail: 'idr_token',
  key: { column: 'object_key', type: 'text' },
  names: ['gateway_payment_id', 'paid_receipt', 'mint_tx_hash'],
  href: (id) => `/idrtoken/onramp/status/${id}`,
};
/** Redemptions of rupiah tokens as payments. */
export const IDR_REDEEM_PAYMENTS: PaymentSource = {
  view: 'payment_of_idr_redeems',
  rail: 'idr_token',
  key: { column: 'object_key', type: 'text' },
  names: ['gateway_payout_id', 'burn_tx_hash'],
  href: (id) => `/idrtoken/offramp/status/${id}`,
};
/** Refunds of purchases and redemptions as payments. */
export const IDR_REFUND_PAYMENTS: PaymentSource = {
  view: 'payment_of_idr_refunds',
  rail: 'idr_token',
  key: { column: 'object_key', type: 'text' },
  names: ['take_back_hash'],
  href: () => null,
};
const MINTS_BY_NUMBER = keyedBy(IDR_MINT_PAYMENTS, 'mint_id', 'integer');
const REDEEMS_BY_NUMBER = keyedBy(IDR_REDEEM_PAYMENTS, 'redeem_id', 'integer');

/** A purchase, as its list answers it, with the rail. */
const purchase = defineObject({
  schema: named('IdrTokenPaymentEventData', { ...rail, ...IdrTokenMintRecord.properties }),
  example: {
    ...RAIL,
    id: 31,
    reference_id: 'MINT-1795316458447-3',
    amount_idr: 50_000,
    amount_token: '50000.00',
    fee_amount: 3000,
    total_amount_idr: 53_000,
    payment_method: 'QRIS',
    status: 'PAID',
    payment_status: 'PAID',
    payment_note: null,
    created_at: '2026-11-22T03:00:58.447Z',
    expired_at: '2026-11-23T03:00:58.447Z',
  },
  since,
  payment: IDR_MINT_PAYMENTS,
  key: (row: Mint) => whose(row),
  show: (row) => ({ ...RAIL, ...mintRecord(row) }),
});
const payment = purchase.events('payment', {
  pending: 'A payment was requested and has not arrived yet',
  succeeded: 'A payment has arrived; its tokens are on their way',
  failed: 'A requested payment does not arrive, or cannot be used for its purpose',
});
const mint = purchase.events('idr_mint', {
  minted: 'Tokens were minted and wait for confirmations',
  lost: 'The chain dropped a mint; the platform mints again',
  completed: 'The tokens of a paid purchase have arrived',
});

/** Each stores its event in the transaction that takes the step. */
export const emitIdrTokenPayment = payment.emit;
export const emitMint = mint.emit;

const payout = defineEvents(
  'payout',
  {
    schema: named('IdrTokenPayoutEventData', { ...rail, ...IdrTokenRedeemRecord.properties }),
    since,
    payment: IDR_REDEEM_PAYMENTS,
    example: {
      ...RAIL,
      id: 12,
      reference_id: 'REDEEM-1795316458447-3',
      amount_token: '50000.00',
      amount_idr: 50_000,
      fee_amount: 5000,
      net_amount_idr: 45_000,
      bank_name: 'BCA',
      bank_account_number: '8801000123',
      status: 'COMPLETED',
      bank_transfer_status: 'COMPLETED',
      created_at: '2026-11-22T03:00:58.447Z',
    },
  },
  {
    pending: 'Tokens were burnt; the money for them is to be paid out',
    processing: 'A payout is on its way to the bank',
    succeeded: 'A payout has arrived',
    failed: 'A payout could not be made',
    returned: 'A payout came back from the bank after it had arrived',
  },
);

const refund = defineEvents(
  'refund',
  {
    schema: named('IdrTokenRefundEventData', {
      ...rail,
      id: Id,
      reference_id: Type.String(),
      user_id: Id,
      amount_idr: Type.Number(),
      fee_amount: Type.Number(),
      net_amount_idr: Type.Number(),
      reason: Type.String(),
      status: oneOfWords(['TAKING_BACK', 'DONE', 'FAILED']),
      created_at: Timestamp,
    }),
    since,
    payment: IDR_REFUND_PAYMENTS,
    example: {
      ...RAIL,
      id: 2,
      reference_id: 'REFUND-1795316458447-2',
      user_id: 3,
      amount_idr: 50_000,
      fee_amount: 500,
      net_amount_idr: 49_500,
      reason: 'Wrong wallet',
      status: 'DONE',
      created_at: '2026-11-22T03:00:58.447Z',
    },
  },
  {
    pending: 'What was paid for tokens is to be given back',
    succeeded: 'What was paid for tokens was given back',
    failed: 'What was paid for tokens could not be given back',
  },
);

export const IDR_TOKEN_EVENTS = [
  ...payment.types,
  ...mint.types,
  ...[payout, refund].flatMap((types) => Object.values(types)),
];

export function emitPayout(tx: Db, what: keyof typeof payout, row: Redeem): void {
  emit(tx, payout[what], { ...whose(row), data: { ...RAIL, ...redeemRecord(row) } });
}

export function emitRefund(tx: Db, what: keyof typeof refund, row: IdrTokenRefund): void {
  const { refund_id: id, reference_id, user_id, reason, state: status, created_at } = row;
  const data = {
    ...RAIL,
    id,
    reference_id,
    user_id,
    reason,
    status,
    created_at,
    amount_idr: idrTokenRupiahOf(row.amount_idr),
    fee_amount: idrTokenRupiahOf(row.refund_fee),
    net_amount_idr: idrTokenRupiahOf(row.net_refund),
  };
  emit(tx, refund[what], { ...whose(row), data });
  // What is given back of it is a part of it.
  if (row.mint_id !== null) touchPayment(tx, MINTS_BY_NUMBER, row.mint_id);
  if (row.redeem_id !== null) touchPayment(tx, REDEEMS_BY_NUMBER, row.redeem_id);
}

const whose = ({ client_id, user_id, reference_id: id }: Mint | Redeem | IdrTokenRefund) => ({
  client_id,
  user_id,
  id,
});
