import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { objectId } from '#kernel/object-id.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import { touchPayment } from '#kernel/payments/payment-writes.ts';
import { ShownWalletHold, shownWalletHold } from './presenters.ts';
import type { WalletHold } from './store.ts';

const ID = objectId('hld', '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e31');
const AT = '2026-11-22T03:00:58.447Z';

export const WALLET_HOLD_PAYMENTS: PaymentSource = {
  view: 'payment_of_fiat_holds',
  rail: 'wallet',
  key: { column: 'object_key', type: 'text' },
  names: [],
  href: (id) => `/wallets/fiat/holds/${id}`,
};

/** The same for those who take it. */
export const WALLET_HOLD_CAPTURES: PaymentSource = {
  ...WALLET_HOLD_PAYMENTS,
  view: 'payment_of_fiat_hold_captures',
  href: (id) => `/wallets/fiat/holds/${id.replace(/:in$/, '')}`,
};

const holds = defineObject<WalletHold, typeof ShownWalletHold>({
  schema: ShownWalletHold,
  since: '2026-11',
  payment: WALLET_HOLD_PAYMENTS,
  example: {
    hold_id: ID,
    side: 'sent',
    from: { display_name: 'a•••', wallet_id: 3 },
    to: { display_name: 'b•••', wallet_id: 4 },
    amount: '80.00',
    captured: '30.00',
    remaining: '50.00',
    currency: 'USD',
    fee: '0.00',
    note: 'Rental deposit',
    expires_at: '2026-11-29T03:00:58.447Z',
    reference: 'rental-7',
    metadata: {},
    status: 'PARTIALLY_CAPTURED',
    substatus: null,
    status_times: { open_at: AT, partially_captured_at: AT },
    failure: null,
    in_doubt_since: null,
    next_attempt_at: null,
    version: 2,
    created_at: AT,
    updated_at: AT,
  },
  key: ({ client_id, user_id, object_id: id }) => ({ client_id, user_id, id }),
  show: (hold) => shownWalletHold(hold),
});

const hold = holds.events('wallet_hold', {
  placed: 'A payer has set money aside for somebody',
  captured: 'Its payee has taken all of it, or a part',
  voided: 'What was left was given up; it is the payer’s again',
  expired: 'What was not taken in time is the payer’s again',
});

export const WALLET_HOLD_EVENTS = hold.types;

/** In the transaction that changes it. */
export function emitWalletHold(
  tx: Db,
  verb: 'placed' | 'captured' | 'voided' | 'expired',
  row: WalletHold,
): void {
  hold.emit(tx, verb, row);
  touchPayment(tx, WALLET_HOLD_CAPTURES, row.object_id);
}
