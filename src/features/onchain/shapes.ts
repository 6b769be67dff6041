import { Type } from 'typebox';
import { CHAINS, explorerTxUrl, isChainKey } from '#chains/evm/port.ts';
import { Id, Timestamp } from '#kernel/http/schema.ts';
import type { LogRow } from './store.ts';

/** A record of the log (contract: Onchain transaction log). */
export const LogRecord = Type.Object({
  id: Id,
  bw_id: Id,
  tx_type: Type.String(),
  amount: Type.String(),
  tx_hash: Type.String(),
  status: Type.String(),
  destination_wallet: Type.String(),
  tx_flow: Type.String(),
  token_symbol: Type.String(),
  chain_id: Type.String(),
  token_contract: Type.String(),
  gas_fee: Type.String(),
  platform_fee: Type.String(),
  created_at: Timestamp,
  wallet_name: Type.String(),
  wallet_label: Type.String(),
  explorer_url: Type.String(),
});

export const explorerUrl = (chain_id: string, hash: string): string => {
  if (!isChainKey(chain_id)) throw new Error(`${chain_id} is no chain`);
  return explorerTxUrl(CHAINS[chain_id], hash);
};

export const shownLog = (row: LogRow) => ({
  ...row,
  explorer_url: explorerUrl(row.chain_id, row.tx_hash),
});
