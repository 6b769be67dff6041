import { Type } from 'typebox';
import { named } from '#kernel/http/named.ts';
import { Id, Timestamp } from '#kernel/http/schema.ts';
import { format } from '#kernel/money/money.ts';
import type { FiatWallet } from './store.ts';

export const Wallet = named('FiatWallet', {
  wallet_id: Id,
  user_id: Id,
  currency: Type.String(),
  balance: Type.String(),
  created_at: Timestamp,
});

export const shown = ({ wallet_id, user_id, currency, created_at }: FiatWallet, units: bigint) => ({
  wallet_id,
  user_id,
  currency,
  balance: format({ asset: currency, units }),
  created_at,
});
