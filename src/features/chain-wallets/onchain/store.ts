import type { Selectable } from 'kysely';
import type { Address } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import type { ManagedAddress } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { OnchainSends } from '#kernel/db/schema.generated.ts';
import { sqlState } from '#kernel/db/sql-errors.ts';
import { fail } from '#kernel/error.ts';

/** A send that was asked for. Units are of its token. */
export type Send = Omit<
  Selectable<OnchainSends>,
  'chain_id' | 'wallet_address' | 'destination' | 'treasury' | 'status' | 'fee_status'
> & {
  readonly chain_id: ChainKey;
  readonly wallet_address: Address;
  readonly destination: Address;
  readonly treasury: Address;
  readonly status: 'PENDING' | 'CONFIRMED' | 'FAILED';
  readonly fee_status: 'DUE' | 'PAID' | 'UNPAID' | 'NONE';
};

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

/** What the journal of the chains calls the transaction of a send. */
export const sendReference = (operation: string): string => `${SEND}${operation}`;

/** The same of the fee that follows it. */
export const onchainFeeReference = (operation: string): string => `${FEE}${operation}`;

const SEND = 'onchain:';
const FEE = 'onchain-fee:';

/** Which send the journal's transaction is of, or its fee; nothing where it is neither. */
export function byReference(
  reference: string,
): { readonly operation: string; readonly isFee: boolean } | undefined {
  const prefix = [SEND, FEE].find((start) => reference.startsWith(start));
  if (prefix === undefined) return undefined;
  return { operation: reference.slice(prefix.length), isFee: prefix === FEE };
}

const FOREIGN_KEY = '23503';

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
      address_id,
      bw_id,
      user_id,
      client_id,
      wallet_address,
      wallet_name,
      wallet_label,
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

/** Whether it is still to be signed. No process gives it up before the transaction ends. */
export async function lockOpen(tx: Db, operation: string): Promise<boolean> {
  const rows = await run(
    tx,
    `select operation from onchain_sends where operation = $1 and status = 'PENDING' for share`,
    [operation],
  );
  return rows.length === 1;
}

/** Takes back what was never signed, as if it had never been requested. */
export async function withdrawSend(tx: Db, operation: string): Promise<void> {
  await run(tx, `delete from onchain_sends where operation = $1 and status = 'PENDING'`, [
    operation,
  ]);
}

/** It never happened and never will, for a reason that callers see. False when that is settled. */
export async function failSend(tx: Db, operation: string, failure: string): Promise<boolean> {
  const rows = await run(
    tx,
    `update onchain_sends
     set status = 'FAILED', failure = $2, fee_status = 'NONE', address_id = null,
         is_settled = true, look_at = null, updated_at = service_now()
     where operation = $1 and not is_settled returning operation`,
    [operation, failure],
  );
  return rows.length === 1;
}

export interface Move {
  readonly status: 'PENDING' | 'CONFIRMED';
  /** No reorganisation can change it any more. */
  readonly isFinal: boolean;
  /** The chain has just done something with it: it is looked at again soon. */
  readonly isNews: boolean;
  readonly at: Date;
}

/**
 * What the chain says of a send that is not settled, also of one that had been given up too early.
 * The key is kept until it is settled and the fee is no longer due. Nothing when that changes nothing.
 */
export async function moveSend(
  tx: Db,
  operation: string,
  { status, isFinal, isNews, at }: Move,
): Promise<Pick<Send, 'fee_status' | 'is_settled'> | undefined> {
  const [row] = await run<Pick<Send, 'fee_status' | 'is_settled'>>(
    tx,
    `update onchain_sends
     set status = $2, failure = null, updated_at = $4, is_settled = $3 or address_id is null,
         look_at = case when $3 or address_id is null then null
           else $4::timestamptz + interval '1 minute' end,
         address_id = case when $3 and fee_status <> 'DUE' then null else address_id end
     where operation = $1
       and (not is_settled and ($3 or $5 or status <> $2 or look_at is null)
         or status = 'FAILED' and $2 = 'CONFIRMED')
     returning fee_status, is_settled`,
    [operation, status, isFinal, at.toISOString(), isNews],
  );
  return row;
}

/**
 * Those that were not looked at for as long as they have not changed, a minute at least and an hour
 * at most. The next look is as much later.
 */
export const takeUnsettled = (db: Db, at: Date, limit: number): Promise<Send[]> =>
  run(
    db,
    `update onchain_sends s
     set look_at = $1::timestamptz
       + least(greatest($1::timestamptz - updated_at, interval '1 minute'), interval '1 hour')
     from (select operation from onchain_sends where look_at <= $1::timestamptz
           order by look_at limit $2 for update skip locked) due
     where s.operation = due.operation
     returning s.*`,
    [at.toISOString(), limit],
  );

/** A fee that is DUE was taken, or will not be; the key is needed no more. */
export async function settleFee(
  tx: Db,
  operation: string,
  fee_status: 'PAID' | 'UNPAID',
  fee_tx_hash: string | null,
): Promise<Send | undefined> {
  return (await tx
    .updateTable('onchain_sends')
    .set({ fee_status, fee_tx_hash, address_id: null })
    .where('operation', '=', operation)
    .where('is_settled', '=', true)
    .where('fee_status', '=', 'DUE')
    .returningAll()
    .executeTakeFirst()) as Send | undefined;
}
