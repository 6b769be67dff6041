import {
  TRANSFER_MOVEMENTS,
  transfersNear,
} from '#features/chain-wallets/crosschain/crosschain.ts';
import { endOfMillisecond, type ListOffset, type ListRequest } from '#kernel/db/counted-list.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

type Same = Row<'onchain_transactions', 'amount' | 'status' | 'created_at' | 'updated_at'>;
type Hashed = Row<'onchain_transactions', 'tx_hash'>;
/** A transfer that was not burnt has none. */
type MaybeHashed = { readonly [K in keyof Hashed]: Hashed[K] | null };

/** A row of the history of everything: a transfer across chains, or a send on one. */
export interface OnchainMovement extends Same, MaybeHashed {
  readonly transaction_id: string;
  readonly nonce: string | null;
  readonly transaction_type: 'CROSSCHAIN_TRANSFER' | 'ONCHAIN_SEND';
  readonly token: string;
  readonly from_chain: string;
  readonly to_chain: string;
  readonly recipient_address: string;
  readonly mint_tx_hash: string | null;
  readonly is_crosschain: boolean;
  readonly is_cancellable: boolean;
}

const SENDS = `
  (select id::text, null, tx_type, amount, token_symbol, chain_id, chain_id, destination_wallet,
    status, tx_hash, null, created_at, updated_at, false, false, movement
  from onchain_transactions where user_id = $1 and movement between $2 and $3
  order by movement desc limit $4)`;

/** Both kinds are numbered in one row (migration 0054), so each gives no more than a page. Newest first. */
export async function pageOfMovements(
  db: Db,
  user_id: number,
  { limit, offset }: ListOffset,
  times: Pick<ListRequest, 'created_from' | 'created_to'>,
): Promise<{ rows: OnchainMovement[]; total: number }> {
  const [first, last] = await spanOf(db, user_id, times);
  const rows = await run<OnchainMovement>(
    db,
    `select * from (${TRANSFER_MOVEMENTS} union all ${SENDS}) m order by movement desc limit $4`,
    [user_id, first, last - offset, limit],
  );
  return { rows, total: Math.max(0, last - first + 1) };
}

/** The numbers of the oldest and the newest of that time. */
async function spanOf(
  db: Db,
  user_id: number,
  { created_from, created_to }: Pick<ListRequest, 'created_from' | 'created_to'>,
): Promise<[first: number, last: number]> {
  const edge = (rule: string, order: string) =>
    `(select movement from onchain_transactions where user_id = $1 and created_at ${rule}
      order by created_at ${order}, ordinal ${order} limit 1),
     ${transfersNear(rule, order)}`;
  const [row] = await run<{ first: number; last: number }>(
    db,
    `select case when $2::timestamptz is null then 1
         else coalesce(least(${edge('>= $2', 'asc')}), ${Number.MAX_SAFE_INTEGER}) end as first,
       coalesce(case when $3::timestamptz is null
         then (select n from list_counts where list = 'movements' and owner = $1 and facet = '{}')
         else greatest(${edge(`< ${endOfMillisecond('$3')}`, 'desc')}) end, 0) as last`,
    [user_id, created_from ?? null, created_to ?? null],
  );
  return [row?.first ?? 1, row?.last ?? 0];
}

export interface MovementCounts {
  readonly total: number;
  readonly completed: number;
  readonly pending: number;
}

/** Of the whole history, as it is kept with every change. FAILED counts as neither. */
export async function countMovements(db: Db, user_id: number): Promise<MovementCounts> {
  const [row] = await run<MovementCounts>(
    db,
    `select coalesce(sum(n) filter (where facet = '{}'), 0)::bigint as total,
       coalesce(sum(n) filter (where facet in ('{CONFIRMED}', '{MINTED}')), 0)::bigint as completed,
       coalesce(sum(n) filter (where facet in ('{INITIATED}', '{BURNED}', '{PENDING}')), 0)::bigint as pending
     from list_counts where list = 'movements' and owner = $1`,
    [user_id],
  );
  if (!row) throw new Error('A count without a row');
  return row;
}
