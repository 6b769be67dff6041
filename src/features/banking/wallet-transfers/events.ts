import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { objectId } from '#kernel/object-id.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import { touchPayment } from '#kernel/payments/payment-writes.ts';
import { ShownTransfer, shownTransfer } from './presenters.ts';
import type { WalletTransfer } from './store.ts';

const ID = objectId('trf', '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30');
const AT = '2026-11-22T03:00:58.447Z';
const KEY = { column: 'object_key', type: 'text' } as const;

export const TRANSFER_PAYMENTS: PaymentSource = {
  view: 'payment_of_wallet_transfers',
  rail: 'wallet',
  key: KEY,
  names: [],
  href: (id) => `/wallets/fiat/transfers/${id}`,
};

/** The same for those who receive it. */
export const TRANSFER_PART_PAYMENTS: PaymentSource = {
  ...TRANSFER_PAYMENTS,
  view: 'payment_of_wallet_transfer_parts',
  href: (id) => `/wallets/fiat/transfers/${id.replace(/:\d+$/, '')}`,
};

const transfers = defineObject<WalletTransfer, typeof ShownTransfer>({
  schema: ShownTransfer,
  since: '2026-11',
  payment: TRANSFER_PAYMENTS,
  example: {
    transfer_id: ID,
    side: 'sent',
    from: { display_name: 'a•••', wallet_id: 3 },
    to: { display_name: 'b•••', wallet_id: null },
    amount: '12.50',
    currency: 'USD',
    received: { amount: '12.50', currency: 'USD' },
    fee: '0.00',
    note: 'Lunch',
    quote_id: null,
    parts: [],
    claim_expires_at: null,
    reference: 'lunch-1',
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
  show: shownTransfer,
});

const transfer = transfers.events('wallet_transfer', {
  pending: 'Money between wallets waits: for an approval, a time, or the person who claims it',
  completed: 'Money has arrived at its receivers',
  cancelled: 'It was cancelled; the money is its sender’s again',
  expired: 'It was not claimed in time; the money is its sender’s again',
  failed: 'It could not be delivered; the money is its sender’s again',
});

export const WALLET_TRANSFER_EVENTS = transfer.types;

const VERBS = {
  PENDING_APPROVAL: 'pending',
  PENDING: 'pending',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
  FAILED: 'failed',
} as const;

/** In the transaction that changes it. */
export function emitTransfer(tx: Db, row: WalletTransfer): void {
  transfer.emit(tx, VERBS[row.status], row);
  if (row.status === 'COMPLETED') touchPayment(tx, TRANSFER_PART_PAYMENTS, row.object_id);
}
