import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import { exampleChain } from '#chains/evm/port.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvent } from '#kernel/events/event-type.ts';
import { Id, Timestamp } from '#kernel/http/declare/schema.ts';
import { transact } from '#kernel/transact.ts';
import { findReported, insertLog, type LogRow, type NewLog } from './log-store.ts';

export const reportedTransfer = defineEvent('reported_transfer.logged', {
  schema: Type.Object({
    id: Id,
    user_id: Id,
    bw_id: Id,
    chain_id: Type.String(),
    destination_wallet: Type.String(),
    token_symbol: Type.String(),
    token_contract: Type.String(),
    amount: Type.String(),
    gas_fee: Type.String(),
    platform_fee: Type.String(),
    status: Type.String(),
    tx_hash: Type.String(),
    created_at: Timestamp,
  }),
  summary: 'The owner of a wallet has reported a transaction that was sent without us',
  since: '2026-11',
  example: {
    id: 11,
    user_id: 3,
    bw_id: 4,
    chain_id: exampleChain().key,
    destination_wallet: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    token_symbol: 'USDC',
    token_contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    amount: '10',
    gas_fee: '0.000021',
    platform_fee: '0',
    status: 'CONFIRMED',
    tx_hash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
    created_at: '2026-11-22T03:00:58.447Z',
  },
});

/** Nothing when the user has that transaction in the log already, unless by the same request. */
export const logReported = (
  db: Kysely<DB>,
  log: NewLog & { readonly reported_by: string },
): Promise<LogRow | undefined> =>
  transact(db, async (tx) => {
    const row = await insertLog(tx, log);
    if (row === undefined) return findReported(tx, log);
    const { client_id, user_id } = log;
    emit(tx, reportedTransfer, { client_id, user_id, id: row.id, data: row });
    return row;
  });
