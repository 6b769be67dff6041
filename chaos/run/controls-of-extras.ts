import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { firstOf } from '../clients/answer.ts';
import { DISPUTED } from '../clients/play-charge-back.ts';
import type { Control, Spoiling } from './controls.ts';

/** A stopped guest continues, or the stop is missing. */
export const stopControls: readonly Control[] = [
  {
    name: 'stopped-paid',
    finds: 'unasked',
    where: /^wallet of a stopped guest$/,
    async spoil({ world }) {
      const guest = firstOf([...world.guests.values()]);
      await pay({ world }, { user_id: guest.user_id, asset: 'USD', kind: 'card-push' });
    },
  },
  {
    name: 'stop-gone',
    finds: 'lost',
    where: /^stops$/,
    spoil: ({ sql }) =>
      sql(`delete from stops where stop_id = (
             select max(stop_id) from stops where wallet_id is null)`),
  },
  {
    name: 'void-waits-again',
    finds: 'unasked',
    where: /^wishes of stopped guests$/,
    spoil: ({ sql }) =>
      sql(`update adjustments set status = 'PROPOSED', decided_by = null, decided_at = null
           where serial = (select max(serial) from adjustments where status = 'VOIDED')`),
  },
];

/** The network returns or takes more money than booked; or the record of a second taking is lost. */
export const chargeBackControls: readonly Control[] = [
  {
    name: 'charged-back-more',
    finds: 'unasked',
    where: /^charged-back wallet of user 1$/,
    async spoil({ world }) {
      const user_id = world.people[1]?.user_id ?? 0;
      await pay({ world }, { user_id, asset: DISPUTED, kind: 'card-chargeback' });
    },
  },
  {
    name: 'taken-twice-forgotten',
    finds: 'lost',
    where: /^taken back twice$/,
    spoil: ({ sql }) =>
      sql(`update ledger.returns set excess = 0, excess_since = null
           where payment = (select max(payment) from ledger.returns where excess > 0)`),
  },
];

/** Unmatched money is not booked, is booked twice, or is still owed. */
export const latePaymentControls: readonly Control[] = [
  {
    name: 'late-payment-gone',
    finds: 'lost',
    where: /^late payments$/,
    spoil: ({ sql }) =>
      sql(`delete from idr_unmatched_payments where payment_id = (
             select max(payment_id) from idr_unmatched_payments)`),
  },
  {
    name: 'late-payment-owed',
    finds: 'lost',
    where: /^ends of late payments$/,
    spoil: ({ sql }) =>
      sql(`update idr_unmatched_payments
           set refund = 'OWED', sent_units = 0, refunded_by = null, settled_note = null
           where payment_id = (select max(payment_id) from idr_unmatched_payments
             where refund = 'SENT')`),
  },
  {
    name: 'late-payment-doubled',
    finds: 'doubled',
    where: /^late payments$/,
    spoil: ({ sql }) =>
      sql(`insert into idr_unmatched_payments (mint_id, user_id, client_id, receipt, line, units,
             owed_units, reason, came_at, booked_at)
           select mint_id, user_id, client_id, 'control', 'control', units, units, reason, came_at,
             booked_at
           from idr_unmatched_payments order by payment_id desc limit 1`),
  },
];

/** A transfer or a withdrawal is forgotten; the bank pays one twice. */
export const paidOnControls: readonly Control[] = [
  {
    name: 'transfer-gone',
    finds: 'lost',
    where: /^transfers between people$/,
    spoil: ({ sql }) =>
      sql(`delete from wallet_transfer_parts where transfer_id = (
             select transfer_id from wallet_transfers order by serial desc limit 1)`),
  },
  {
    name: 'withdrawal-gone',
    finds: 'lost',
    where: /^withdrawals$/,
    spoil: ({ sql }) =>
      sql(`delete from withdrawals where our_reference = (
             select max(our_reference) from withdrawals)`),
  },
  {
    name: 'wage-gone',
    finds: 'lost',
    where: /^payments of batches$/,
    spoil: ({ sql }) =>
      sql('delete from batch_items where serial = (select max(serial) from batch_items)'),
  },
  {
    name: 'request-gone',
    finds: 'lost',
    where: /^requests for money$/,
    spoil: ({ sql }) =>
      sql('delete from payment_requests where serial = (select max(serial) from payment_requests)'),
  },
  {
    name: 'bank-pays-twice',
    finds: 'doubled',
    where: /^the bank of withdrawals$/,
    spoil: ({ sql }) =>
      sql(`insert into sandbox.records (provider, kind, id, data)
           select provider, kind, 'control', data from sandbox.records
           where provider = 'bank-host' and kind = 'booking' and data ->> 'endToEndId' like 'wdr_%'
           limit 1`),
  },
];

interface Paid {
  readonly user_id: number;
  readonly asset: 'USD' | typeof DISPUTED;
  readonly kind: string;
}

/** A unit leaves that wallet for the card network. */
async function pay({ world: { db } }: Pick<Spoiling, 'world'>, { user_id, asset, kind }: Paid) {
  const wallet = await openAccount(db, { owner: `user:${user_id}`, purpose: 'wallet', asset });
  const legs = transfer(wallet, await openAccount(db, houseAccount('card-settlement', asset)), 1n);
  await postWithin(db, { key: `control:${kind}:${user_id}`, kind, legs });
}
