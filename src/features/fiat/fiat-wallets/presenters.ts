import { Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { explained, Id, Timestamp } from '#kernel/http/declare/schema.ts';
import type { Balance } from '#kernel/ledger/accounts.ts';
import { format } from '#kernel/money/money.ts';
import { SHOWN_BALANCE, shownBalance } from '#kernel/money/shown-balance.ts';
import type { FiatWallet } from './store.ts';

export const ShownFiatWallet = named('FiatWallet', {
  wallet_id: Id,
  user_id: Id,
  currency: Type.String(),
  balance: Type.String(),
  ...SHOWN_BALANCE,
  is_frozen: explained(Type.Boolean(), 'Money comes in, and none goes out'),
  created_at: Timestamp,
});

const EMPTY: Balance = { posted: 0n, held: 0n, available: 0n, is_frozen: false };

/** Without a balance as a new wallet. */
export const shownFiat = (
  { wallet_id, user_id, currency, created_at }: FiatWallet,
  balance: Balance = EMPTY,
) => ({
  wallet_id,
  user_id,
  currency,
  balance: format({ asset: currency, units: balance.posted }),
  ...shownBalance(currency, balance),
  is_frozen: balance.is_frozen,
  created_at,
});
