import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, oneOfWords, Timestamp } from '#kernel/http/declare/schema.ts';
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
}

const whose = ({ client_id, user_id, reference_id: id }: Mint | Redeem | IdrTokenRefund) => ({
  client_id,
  user_id,
  id,
});
