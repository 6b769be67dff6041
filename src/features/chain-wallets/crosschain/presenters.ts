import { Type } from 'typebox';
import { CHAINS } from '#chains/evm/port.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import { format } from '#kernel/money/money.ts';
import type { CrosschainTransfer } from './store.ts';

const Status = Type.String();

/** The contract's cross-chain transfer log, and what the platform takes for it. */
export const TransferLog = named('CrosschainTransfer', {
  log_id: Type.String(),
  nonce: Type.String(),
  user_id: Id,
  amount: Type.String(),
  token: Type.String(),
  from_chain: Type.String(),
  to_chain: Type.String(),
  recipient_address: Type.String(),
  return_address: TextOrNull,
  status: Status,
  burn_tx_hash: TextOrNull,
  mint_tx_hash: TextOrNull,
  platform_fee: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const logOf = (row: CrosschainTransfer) => ({
  log_id: row.log_id,
  nonce: row.nonce,
  user_id: row.user_id,
  amount: row.amount,
  token: row.token,
  from_chain: CHAINS[row.from_chain].name,
  to_chain: CHAINS[row.to_chain].name,
  recipient_address: row.recipient_address,
  return_address: row.return_address,
  status: row.status,
  burn_tx_hash: row.burn_tx_hash,
  mint_tx_hash: row.mint_tx_hash,
  platform_fee: format({ asset: 'USDC', units: row.platform_fee }),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** What a wallet of the user's own signs to burn, in this order. */
export const BurnCalls = Type.Array(Type.Object({ to: Type.String(), data: Type.String() }));

export const CrosschainStep = named('CrosschainStep', {
  log_id: Type.String(),
  tx_hash: TextOrNull,
  status: Status,
  updated_at: Timestamp,
});

export const crosschainStepOf = (
  row: CrosschainTransfer,
  tx_hash: string | null = row.burn_tx_hash,
) => ({
  log_id: row.log_id,
  tx_hash,
  status: row.status,
  updated_at: row.updated_at,
});
