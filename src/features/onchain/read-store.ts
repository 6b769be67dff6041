import { sql } from 'kysely';
import type { Hash } from 'viem';
import { CHAINS, replacementHash } from '#chains/evm/port.ts';
import { TRANSFER_MOVEMENTS } from '#features/crosschain/crosschain.ts';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { LOG_COLUMNS, type LogRow } from './store.ts';

export interface AskedPage {
  readonly limit: number;
  readonly offset: number;
  /** Nothing newer belongs to the list. */
  readonly as_of: string;
}

/** Newest first, with how many there are of them in all. */
export async function pageOfLog(
  db: Db,
  user_id: number,
  { limit, offset, as_of }: AskedPage,
  filter: { readonly chain_id?: string | undefined; readonly token_symbol?: string | undefined },
): Promise<{ rows: LogRow[]; total: number }> {
  const { chain_id, token_symbol } = filter;
  const all = db
    .selectFrom('onchain_transactions')
    .where('user_id', '=', user_id)
    .where('created_at', '<=', as_of)
    .$if(chain_id !== undefined, (q) => q.where('chain_id', '=', chain_id ?? ''))
    .$if(token_symbol !== undefined, (q) => q.where('token_symbol', '=', token_symbol ?? ''));
  const [rows, { total }] = await Promise.all([
    all
      .select(LOG_COLUMNS)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
    all.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** By its hash, or one that it had before it was signed anew; of several users' one's own first. */
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

/** A row of the history of everything: a transfer across chains, or a send on one. */
export interface Movement {
  readonly transaction_id: string;
  readonly nonce: string | null;
  readonly transaction_type: 'CROSSCHAIN_TRANSFER' | 'ONCHAIN_SEND';
  readonly amount: string;
  readonly token: string;
  readonly from_chain: string;
  readonly to_chain: string;
  readonly recipient_address: string;
  readonly status: string;
  readonly tx_hash: string | null;
  readonly mint_tx_hash: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly is_crosschain: boolean;
  readonly is_cancellable: boolean;
}

const MOVEMENTS = `
  ${TRANSFER_MOVEMENTS}
  union all
  select id::text, null, tx_type, amount, token_symbol, chain_id, chain_id, destination_wallet,
    status, tx_hash, null, created_at, updated_at, false, false, id
  from onchain_transactions where user_id = $1 and created_at <= $2`;

/** Newest first. */
export const pageOfMovements = (
  db: Db,
  user_id: number,
  { limit, offset, as_of }: AskedPage,
): Promise<Movement[]> =>
  run(
    db,
    `select * from (${MOVEMENTS}) m
     order by created_at desc, is_crosschain, place desc limit $3 offset $4`,
    [user_id, as_of, limit, offset],
  );

export interface MovementCounts {
  readonly total: number;
  readonly completed: number;
  readonly pending: number;
}

/** FAILED counts as neither. */
export async function countMovements(
  db: Db,
  user_id: number,
  { as_of }: AskedPage,
): Promise<MovementCounts> {
  const [row] = await run<MovementCounts>(
    db,
    `select count(*) as total,
       count(*) filter (where status in ('CONFIRMED', 'MINTED')) as completed,
       count(*) filter (where status in ('INITIATED', 'BURNED', 'PENDING')) as pending
     from (${MOVEMENTS}) m`,
    [user_id, as_of],
  );
  if (!row) throw new Error('A count without a row');
  return row;
}
