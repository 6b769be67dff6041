import type { Selectable } from 'kysely';
import type { Hash } from 'viem';
import { CHAINS, replacementHash } from '#chains/evm/port.ts';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import type { CountedList } from '#kernel/db/counted-list.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { OnchainTransactions } from '#kernel/db/schema.generated.ts';

/** A record of the log, as the contract prints it, less what is derived. */
export type LogRow = Pick<Selectable<OnchainTransactions>, (typeof LOG_COLUMNS)[number]>;

const LOG_COLUMNS = [
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

export type NewLog = Omit<LogRow, 'id' | 'tx_type' | 'tx_flow'> & {
  readonly client_id: number;
  readonly operation?: string;
  /** The request that reports it. */
  readonly reported_by?: string;
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

/** What that request has reported, where it has. */
export const findReported = (
  db: Db,
  { user_id, chain_id, tx_hash, reported_by }: NewLog & { readonly reported_by: string },
): Promise<LogRow | undefined> =>
  db
    .selectFrom('onchain_transactions')
    .select(LOG_COLUMNS)
    .where('user_id', '=', user_id)
    .where('chain_id', '=', chain_id)
    .where('tx_hash', '=', tx_hash)
    .where('reported_by', '=', reported_by)
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
  const { user_id, chain_id, tx_hash, status, operation, at } = known;
  const row = await tx
    .selectFrom('onchain_transactions')
    .select(LOG_COLUMNS)
    .where('operation', '=', operation)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const gas_fee = known.gas_fee ?? row?.gas_fee;
  if (row === undefined || gas_fee === undefined) return undefined;
  const hasMoved = row.status !== status || row.tx_hash !== tx_hash;
  if (!hasMoved && row.gas_fee === gas_fee) return row;
  // Its owner may have reported the signature that took the place of the first one.
  await tx
    .deleteFrom('onchain_transactions')
    .where('user_id', '=', user_id)
    .where('chain_id', '=', chain_id)
    .where('tx_hash', '=', tx_hash)
    .where('operation', 'is', null)
    .execute();
  return tx
    .updateTable('onchain_transactions')
    .set({ status, tx_hash, gas_fee, ...(hasMoved && { updated_at: at }) })
    .where('operation', '=', operation)
    .returning(LOG_COLUMNS)
    .executeTakeFirst();
}

/** The record of a send of ours that will never have happened; nothing where it has none. */
export async function failLog(tx: Db, operation: string): Promise<void> {
  await run(
    tx,
    `update onchain_transactions
     set status = 'FAILED', updated_at = greatest(updated_at, service_now())
     where operation = $1`,
    [operation],
  );
}

/** A user's records. */
export const LOG: CountedList = {
  name: 'onchain',
  table: 'onchain_transactions',
  facets: ['chain_id', 'token_symbol', 'status'],
  references: ['tx_hash'],
};

/** By its hash, or one that it had before it was signed again; of several users' one's own first. */
export async function findLog(
  db: Db,
  reach: TenantScope,
  tx_hash: string,
  own: number,
): Promise<LogRow | undefined> {
  const found = await findByHash(db, reach, tx_hash, own);
  if (found) return found;
  const instead = await replacementHash(db, chainIds(), tx_hash as Hash);
  return instead === undefined ? undefined : findByHash(db, reach, instead, own);
}

const chainIds = () => Object.values(CHAINS).map(({ chainId }) => chainId);

const findByHash = (
  db: Db,
  reach: TenantScope,
  tx_hash: string,
  own: number,
): Promise<LogRow | undefined> =>
  db
    .selectFrom('onchain_transactions')
    .select(LOG_COLUMNS)
    .where('tx_hash', '=', tx_hash)
    .where(({ ref }) => inTenantScope(reach, ref('user_id'), ref('client_id')))
    .orderBy((q) => q.eb('user_id', '=', own), 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
