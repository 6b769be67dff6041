import type { Address } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import type { ManagedAddress } from '#features/crypto-wallets/crypto-wallets.ts';
import { releaseHold } from '#features/wallet-spending/wallet-spending.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { sqlState } from '#kernel/db/transact.ts';
import { fail } from '#kernel/http/error.ts';
import { sendReference } from './references.ts';

/** A send that was asked for. Units are of its token. */
export interface Send {
  readonly operation: string;
  readonly user_id: number;
  readonly client_id: number;
  /** Null once nothing of it needs the key any more. */
  readonly address_id: number | null;
  readonly bw_id: number;
  readonly wallet_name: string;
  readonly wallet_label: string;
  readonly wallet_address: Address;
  readonly chain_id: ChainKey;
  readonly token_symbol: string;
  readonly token_contract: string;
  readonly destination: Address;
  readonly units: bigint;
  readonly fee_units: bigint;
  readonly treasury: Address;
  readonly gas_points: number;
  readonly status: 'PENDING' | 'CONFIRMED' | 'FAILED';
  readonly failure: string | null;
  readonly fee_status: 'DUE' | 'PAID' | 'UNPAID' | 'NONE';
  /** Nothing of the transfer changes any more. */
  readonly is_settled: boolean;
  readonly created_at: string;
}

/** A record of the log, as the contract prints it, less what is derived. */
export interface LogRow {
  readonly id: number;
  readonly user_id: number;
  readonly bw_id: number;
  readonly wallet_name: string;
  readonly wallet_label: string;
  readonly tx_type: string;
  readonly tx_flow: string;
  readonly amount: string;
  readonly tx_hash: string;
  readonly status: string;
  readonly destination_wallet: string;
  readonly token_symbol: string;
  readonly chain_id: string;
  readonly token_contract: string;
  readonly gas_fee: string;
  readonly platform_fee: string;
  readonly created_at: string;
}

export const LOG_COLUMNS = [
  'id',
  'user_id',
  'bw_id',
  'wallet_name',
  'wallet_label',
  'tx_type',
  'tx_flow',
  'amount',
  'tx_hash',
  'status',
  'destination_wallet',
  'token_symbol',
  'chain_id',
  'token_contract',
  'gas_fee',
  'platform_fee',
  'created_at',
] as const;

const FOREIGN_KEY = '23503';

export type NewSend = Pick<
  Send,
  | 'operation'
  | 'chain_id'
  | 'token_symbol'
  | 'token_contract'
  | 'destination'
  | 'units'
  | 'fee_units'
  | 'treasury'
  | 'gas_points'
>;

/** Nothing where another attempt was quicker with that operation. */
export async function insertSend(
  db: Db,
  send: NewSend,
  from: ManagedAddress,
  at: Date,
): Promise<Send | undefined> {
  const { address_id, bw_id, user_id, client_id, wallet_address } = from;
  const { wallet_name, wallet_label } = from;
  const row = await db
    .insertInto('onchain_sends')
    .values({
      ...send,
      ...{ address_id, bw_id, user_id, client_id, wallet_address, wallet_name, wallet_label },
      fee_status: send.fee_units > 0n ? 'DUE' : 'NONE',
      created_at: at.toISOString(),
    })
    .onConflict((conflict) => conflict.column('operation').doNothing())
    .returningAll()
    .executeTakeFirst()
    .catch((error: unknown) => {
      // Deleted since it was found.
      if (sqlState(error) !== FOREIGN_KEY) throw error;
      throw fail('WALLET_NOT_FOUND', 'Wallet not found');
    });
  return row as Send | undefined;
}

export const findSend = async (db: Db, operation: string): Promise<Send | undefined> =>
  (await db
    .selectFrom('onchain_sends')
    .selectAll()
    .where('operation', '=', operation)
    .executeTakeFirst()) as Send | undefined;

/** Those that may still change, in the order they were asked for, a page after `after`. */
export const openSends = (db: Db, after: Send | undefined, limit: number): Promise<Send[]> =>
  run(
    db,
    `select * from onchain_sends
     where not is_settled
       and ($1::timestamptz is null or (created_at, operation) > ($1::timestamptz, $2::uuid))
     order by created_at, operation limit $3`,
    [after?.created_at ?? null, after?.operation ?? null, limit],
  );

/**
 * What the chain says of a send that is not settled, also of one that had been given up too early.
 * The key is kept until it is settled and the fee is no longer due. Nothing when it was settled.
 */
export async function moveSend(
  tx: Db,
  operation: string,
  status: 'PENDING' | 'CONFIRMED',
  isSettled: boolean,
): Promise<Pick<Send, 'fee_status' | 'is_settled'> | undefined> {
  const [row] = await run<Pick<Send, 'fee_status' | 'is_settled'>>(
    tx,
    `update onchain_sends
     set status = $2, failure = null, updated_at = service_now(),
         is_settled = $3 or address_id is null,
         address_id = case when $3 and fee_status <> 'DUE' then null else address_id end
     where operation = $1 and (not is_settled or (status = 'FAILED' and $2 = 'CONFIRMED'))
     returning fee_status, is_settled`,
    [operation, status, isSettled],
  );
  if (row?.is_settled) await releaseHold(tx, [sendReference(operation)]);
  return row;
}

/** A fee that is DUE was taken, or will not be; the key is needed no more. */
export async function settleFee(
  tx: Db,
  operation: string,
  fee_status: 'PAID' | 'UNPAID',
  fee_tx_hash: string | null,
): Promise<void> {
  await tx
    .updateTable('onchain_sends')
    .set({ fee_status, fee_tx_hash, address_id: null })
    .where('operation', '=', operation)
    .where('is_settled', '=', true)
    .where('fee_status', '=', 'DUE')
    .execute();
}

export type NewLog = Omit<LogRow, 'id' | 'tx_type' | 'tx_flow'> & {
  readonly client_id: number;
  readonly operation?: string;
  readonly updated_at: string;
};

/** Nothing when the user has that transaction in the log already. */
export const insertLog = (db: Db, log: NewLog): Promise<LogRow | undefined> =>
  db
    .insertInto('onchain_transactions')
    .values(log)
    .onConflict((conflict) => conflict.constraint('onchain_transactions_once').doNothing())
    .returning(LOG_COLUMNS)
    .executeTakeFirst();

/** What we sent ourselves is known better than what its owner reported in the meantime. */
export const putSentLog = (tx: Db, log: NewLog & { operation: string }): Promise<LogRow> => {
  const { amount, gas_fee, platform_fee, operation, destination_wallet, status, updated_at } = log;
  const fees = { gas_fee, platform_fee };
  const known = { ...fees, amount, operation, destination_wallet, status, updated_at };
  return tx
    .insertInto('onchain_transactions')
    .values(log)
    .onConflict((conflict) => conflict.constraint('onchain_transactions_once').doUpdateSet(known))
    .returning(LOG_COLUMNS)
    .executeTakeFirstOrThrow();
};

/** What is known of a send of ours that is in the log; nothing when it is not. */
export async function moveLog(
  tx: Db,
  known: Pick<LogRow, 'user_id' | 'chain_id' | 'tx_hash' | 'status'> & {
    readonly operation: string;
    /** Null keeps what the log has. */
    readonly gas_fee: string | null;
    readonly at: string;
  },
): Promise<LogRow | undefined> {
  const { user_id, chain_id, tx_hash, status, operation, gas_fee, at } = known;
  // Its owner may have reported the signature that took the place of the first one.
  await run(
    tx,
    `delete from onchain_transactions
     where user_id = $1 and chain_id = $2 and tx_hash = $3 and operation is null
       and exists (select from onchain_transactions where operation = $4)`,
    [user_id, chain_id, tx_hash, operation],
  );
  const [row] = await run<LogRow>(
    tx,
    `update onchain_transactions
     set status = $2, tx_hash = $3, gas_fee = coalesce($4, gas_fee),
         updated_at = case when (status, tx_hash) is distinct from ($2, $3)
           then $5::timestamptz else updated_at end
     where operation = $1 returning ${LOG_COLUMNS.join(', ')}`,
    [operation, status, tx_hash, gas_fee, at],
  );
  return row;
}
