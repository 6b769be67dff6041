import { type Static, Type } from 'typebox';
import {
  maskedName,
  TRANSFER_SIDES,
  TransferParty,
} from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { explained, oneOfWords, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import { shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { WALLET_HOLD_STATUSES, type WalletHold } from './store.ts';

export const ShownWalletHold = named('WalletHold', {
  hold_id: objectIdField('hld'),
  side: explained(oneOfWords(TRANSFER_SIDES), 'Of the reader: the payer’s is `sent`'),
  from: TransferParty,
  to: TransferParty,
  amount: MoneyText,
  captured: explained(MoneyText, 'What its payee has taken so far'),
  remaining: explained(MoneyText, 'What can still be taken'),
  currency: Type.String(),
  fee: explained(MoneyText, 'What the payer is charged on top for what was taken'),
  note: TextOrNull,
  expires_at: explained(Timestamp, 'When what was not taken is the payer’s again'),
  ...namesShown,
  ...stateFields(WALLET_HOLD_STATUSES),
});

export const isOpenHold = ({ status }: Pick<WalletHold, 'status'>): boolean =>
  status === 'OPEN' || status === 'PARTIALLY_CAPTURED';

/** What can still be taken, in units. */
export const remainingOf = (hold: WalletHold): bigint =>
  isOpenHold(hold) ? hold.amount - hold.captured : 0n;

/** As that user sees it; without one as its payer does. */
export function shownWalletHold(
  hold: WalletHold,
  reader: number = hold.user_id,
): Static<typeof ShownWalletHold> {
  const money = (units: bigint) => format({ asset: hold.currency, units });
  const isPayee = reader === hold.to_user_id;
  return {
    hold_id: hold.object_id,
    side: isPayee ? 'received' : 'sent',
    from: {
      display_name: maskedName(hold.from_name),
      wallet_id: isPayee ? null : hold.wallet_id,
    },
    to: { display_name: maskedName(hold.to_name), wallet_id: hold.to_wallet_id },
    amount: money(hold.amount),
    captured: money(hold.captured),
    remaining: money(remainingOf(hold)),
    currency: hold.currency,
    fee: money(isPayee ? 0n : hold.fee_captured),
    note: hold.note,
    expires_at: hold.expires_at,
    reference: hold.names.reference,
    metadata: hold.names.metadata,
    ...shownState(hold),
  };
}
