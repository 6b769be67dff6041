import { Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { Id, Nullable, oneOfWords, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import { toWire } from '#kernel/money/money.ts';
import type { CardTransaction } from './store.ts';

const shared = {
  id: Id,
  type: oneOfWords(['TOPUP', 'REFUND']),
  card_last4: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  status: Type.String(),
  approval_code: TextOrNull,
  transaction_identifier: TextOrNull,
  reference_id: Type.String(),
  created_at: Timestamp,
};
/** A line of the history. */
export const HistoryEntry = named('ListedCardTransaction', shared);
/** The contract's card transaction, and by which number the network knows it. */
export const WholeTransaction = named('CardTransaction', {
  ...shared,
  wallet_id: Id,
  user_id: Id,
  platform_fee: Type.Number(),
  net_amount: Type.Number(),
  retrieval_reference_number: Type.String(),
  original_reference: Nullable(Type.String()),
  updated_at: Timestamp,
});

export const inCurrency = ({ currency }: CardTransaction, units: bigint): number =>
  toWire({ asset: currency, units });

export const entryOf = (row: CardTransaction) => ({
  id: row.id,
  // The contract has no third type for what is pushed to a card: its status tells it from a refund.
  type: row.type === 'TOPUP' ? ('TOPUP' as const) : ('REFUND' as const),
  card_last4: row.card_last4,
  amount: inCurrency(row, row.amount),
  currency: row.currency,
  status: row.status,
  approval_code: row.approval_code,
  transaction_identifier: row.transaction_identifier,
  reference_id: row.reference_id,
  created_at: row.created_at,
});

export const wholeOf = (row: CardTransaction, original: CardTransaction | undefined) => ({
  ...entryOf(row),
  wallet_id: row.wallet_id,
  user_id: row.user_id,
  platform_fee: inCurrency(row, row.platform_fee),
  net_amount: inCurrency(row, row.net_amount),
  retrieval_reference_number: row.rrn,
  original_reference: original?.reference_id ?? null,
  updated_at: row.updated_at,
});
