import { type Static, Type } from 'typebox';
import { recipientIdOf } from '#features/banking/recipients/recipients.ts';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { explained, Id, Nullable, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import {
  type Doubt,
  type Substatus,
  shownState,
  stateFields,
} from '#kernel/http/declare/state-fields.ts';
import { CurrencyField, MoneyText } from '#kernel/money/amount-fields.ts';
import { format, type Money } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import { NAMELESS, type ObjectNames } from '#kernel/object-names/object-names.ts';
import { type BankWithdrawal, receivedOf, WITHDRAWAL_STATUSES } from './store.ts';

const fields = {
  withdrawal_id: objectIdField('wdr'),
  wallet_id: Id,
  user_id: Id,
  requested_by: explained(Id, 'The owner of the wallet, or an admin who has prepared it'),
  recipient: named('WithdrawalRecipient', {
    recipient_id: objectIdField('rcp'),
    name: Type.String(),
    detail: explained(Type.String(), 'The bank and the last digits of the account, or the wallet'),
  }),
  amount: explained(MoneyText, 'What leaves the wallet; the fee comes on top'),
  currency: CurrencyField,
  received: explained(
    named('WithdrawalReceived', { amount: MoneyText, currency: CurrencyField }),
    'What arrives: by a quote in its currency',
  ),
  quote_id: explained(Nullable(objectIdField('qte')), 'By which another currency is paid'),
  fee: MoneyText,
  note: TextOrNull,
  execute_at: explained(Nullable(Timestamp), 'When it was asked to be paid'),
  executes_at: explained(Timestamp, 'From when on the bank is paid, or was'),
  returned: explained(
    Nullable(
      named('ReturnedPayout', {
        reason_code: explained(Type.String(), 'The bank’s code'),
        amount: explained(MoneyText, 'What was credited'),
        currency: explained(CurrencyField, 'Of the wallet that was credited'),
        at: Timestamp,
      }),
    ),
    'What came back after it had arrived',
  ),
  provider_reference: explained(TextOrNull, 'The bank’s own number of the transfer'),
  ...namesShown,
  ...stateFields(WITHDRAWAL_STATUSES),
};

export const ShownWithdrawal = named('Withdrawal', fields);

/** What else is known when one is read. */
export interface WithdrawalFacts {
  readonly names?: ObjectNames | undefined;
  readonly doubt?: Doubt | undefined;
}

/** A withdrawal as it is answered and as events carry it. */
export const shownBankWithdrawal = (
  row: BankWithdrawal,
  now: Date,
  { names: { reference, metadata } = NAMELESS, doubt }: WithdrawalFacts,
): Static<typeof ShownWithdrawal> => ({
  withdrawal_id: row.our_reference,
  wallet_id: row.wallet_id,
  user_id: row.user_id,
  requested_by: row.made_by,
  recipient: {
    recipient_id: recipientIdOf(row),
    name: row.payee_name,
    detail: row.payee_detail,
  },
  amount: format({ asset: row.currency, units: row.amount }),
  currency: row.currency,
  received: shownMoney(receivedOf(row)),
  quote_id: row.quote_id === null ? null : objectId('qte', row.quote_id),
  fee: format({ asset: row.currency, units: row.fee }),
  note: row.note,
  execute_at: row.execute_at,
  executes_at: row.due_at,
  returned: row.returned as Static<typeof ShownWithdrawal>['returned'],
  provider_reference: row.provider_reference,
  reference,
  metadata,
  ...shownState(row, { doubt, waits: waitsFor(row, now) }),
});

const shownMoney = (money: Money<Fiat>) => ({ amount: format(money), currency: money.asset });

/** What it waits for while no call is in doubt. */
function waitsFor(row: BankWithdrawal, now: Date): Substatus | undefined {
  if (row.status === 'PENDING_APPROVAL') return 'waiting_for_approval';
  if (row.status === 'PROCESSING') return 'waiting_for_provider';
  if (row.status !== 'PENDING') return undefined;
  if (row.held_until !== null && new Date(row.held_until) > now) return 'held_by_policy';
  return new Date(row.due_at) > now ? 'scheduled' : undefined;
}

/** The time by which state fields of an event are shown: that of its change. */
export const timeOfChange = ({ updated_at }: Pick<BankWithdrawal, 'updated_at'>): Date =>
  new Date(updated_at);
