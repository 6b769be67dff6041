import type { Address } from 'viem';
import type { ChainKey } from '#chains/evm/chains.ts';
import type { ManagedAddress } from '#features/crypto-wallets/crypto-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { sqlState } from '#kernel/db/transact.ts';
import { fail } from '#kernel/http/error.ts';

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

/** Nothing when that operation has been written down before. */
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

/** Those asked for before that time whose end is not known. */
export const pendingSends = (db: Db, before: Date, limit: number): Promise<Send[]> =>
  run(
    db,
    `select * from onchain_sends
     where status = 'PENDING' and address_id is not null and created_at < $1
     order by created_at limit $2`,
    [before.toISOString(), limit],
  );

/**
 * The transaction is on chain, so the send is CONFIRMED, even where it had been given up. The key is
 * kept while the fee is due. Nothing when it was confirmed before.
 */
export async function confirmSend(
  db: Db,
  operation: string,
): Promise<Pick<Send, 'fee_status'> | undefined> {
  const [row] = await run<Pick<Send, 'fee_status'>>(
    db,
    `update onchain_sends
     set status = 'CONFIRMED', failure = null, updated_at = now(),
         address_id = case fee_status when 'DUE' then address_id end
     where operation = $1 and status <> 'CONFIRMED' returning fee_status`,
    [operation],
  );
  return row;
}

/** PENDING becomes FAILED, for a reason that callers are told. */
export const failSend = (db: Db, operation: string, failure: string) =>
  run(
    db,
    `update onchain_sends
     set status = 'FAILED', failure = $2, fee_status = 'NONE', address_id = null, updated_at = now()
     where operation = $1 and status = 'PENDING'`,
    [operation, failure],
  );

/**
 * Takes back what was written down after `since` and never signed, as if nobody had asked for it.
 * False when somebody else may be at it by now.
 */
export async function withdrawSend(db: Db, operation: string, since: Date): Promise<boolean> {
  const rows = await run(
    db,
    `delete from onchain_sends
     where operation = $1 and status = 'PENDING' and created_at > $2 returning operation`,
    [operation, since.toISOString()],
  );
  return rows.length > 0;
}

/** A fee that is DUE was taken, or will not be; the key is needed no more. */
export const settleFee = (
  db: Db,
  operation: string,
  fee_status: 'PAID' | 'UNPAID',
  fee_tx_hash: string | null,
) =>
  db
    .updateTable('onchain_sends')
    .set({ fee_status, fee_tx_hash, address_id: null })
    .where('operation', '=', operation)
    .where('status', '=', 'CONFIRMED')
    .where('fee_status', '=', 'DUE')
    .execute();

export type NewLog = Omit<LogRow, 'id' | 'tx_type' | 'tx_flow' | 'status'> & {
  readonly client_id: number;
  readonly operation?: string;
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
export const putSentLog = (db: Db, log: NewLog & { operation: string }): Promise<LogRow> => {
  const { amount, gas_fee, platform_fee, operation, destination_wallet } = log;
  const known = { amount, gas_fee, platform_fee, operation, destination_wallet };
  return db
    .insertInto('onchain_transactions')
    .values(log)
    .onConflict((conflict) => conflict.constraint('onchain_transactions_once').doUpdateSet(known))
    .returning(LOG_COLUMNS)
    .executeTakeFirstOrThrow();
};

export const logOfSend = (db: Db, operation: string): Promise<LogRow | undefined> =>
  db
    .selectFrom('onchain_transactions')
    .select(LOG_COLUMNS)
    .where('operation', '=', operation)
    .executeTakeFirst();
