import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type NetworkState = Row<'network_states'>;

/** What a look at a network has found: its newest block, or nothing. */
export interface NetworkLook {
  readonly network_id: string;
  readonly head: { readonly height: number; readonly hash: string; readonly at: Date } | undefined;
}

/** Looks in a row without an answer from which on a network is down: one may have met a restart. */
const MISSES = 2;

export const listNetworkStates = (db: Db): Promise<NetworkState[]> =>
  run<NetworkState>(db, 'select * from network_states', []);

/** Keeps a look; answers the state where that has changed its status. The first look is no change. */
export async function keepLook(
  tx: Db,
  { network_id, head }: NetworkLook,
): Promise<NetworkState | undefined> {
  const [before] = await run<NetworkState>(
    tx,
    'select * from network_states where network_id = $1 for update',
    [network_id],
  );
  const misses = head ? 0 : (before?.misses ?? 0) + 1;
  const down = misses >= MISSES ? 'DOWN' : (before?.status ?? 'UP');
  const status = head ? 'UP' : down;
  const values = [
    ...[network_id, status, misses],
    ...[head?.height ?? null, head?.hash ?? null, head?.at.toISOString() ?? null],
  ];
  const [state] = await run<NetworkState>(
    tx,
    `insert into network_states as s (network_id, status, misses, height, block_hash, block_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (network_id) do update set status = excluded.status, misses = excluded.misses,
       height = coalesce(excluded.height, s.height), block_hash = coalesce(excluded.block_hash, s.block_hash),
       block_at = coalesce(excluded.block_at, s.block_at), looked_at = service_now(),
       since = case when s.status = excluded.status then s.since else service_now() end
     returning *`,
    values,
  );
  return before && state && before.status !== state.status ? state : undefined;
}

export type GiftAsset = 'native' | 'USDC' | 'IDRT';
export type FaucetGift = Row<'faucet_gifts'> & { readonly asset: GiftAsset };
export type NewFaucetGift = Pick<
  FaucetGift,
  'client_id' | 'user_id' | 'network_id' | 'asset' | 'address' | 'units'
>;

export async function insertGift(tx: Db, gift: NewFaucetGift): Promise<FaucetGift> {
  const made = await tx
    .insertInto('faucet_gifts')
    .values(gift)
    .returningAll()
    .executeTakeFirstOrThrow();
  return made as FaucetGift;
}

export const findGift = (db: Db, gift_id: number): Promise<FaucetGift | undefined> =>
  db
    .selectFrom('faucet_gifts')
    .selectAll()
    .where('gift_id', '=', gift_id)
    .executeTakeFirst() as Promise<FaucetGift | undefined>;

/** PENDING to its end. */
export async function endGift(
  tx: Db,
  gift_id: number,
  end: { readonly tx_hash: string } | { readonly failure: string },
): Promise<void> {
  const isSent = 'tx_hash' in end;
  await run(
    tx,
    `update faucet_gifts set status = $2, tx_hash = $3, failure = $4, updated_at = service_now()
      where gift_id = $1 and status = 'PENDING'`,
    [gift_id, isSent ? 'SENT' : 'FAILED', isSent ? end.tx_hash : null, isSent ? null : end.failure],
  );
}

/** Newest first; `before` is a gift's number. */
export const listGifts = (
  db: Db,
  reach: TenantScope,
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<FaucetGift[]> => {
  const list = db
    .selectFrom('faucet_gifts as g')
    .selectAll('g')
    .where(({ ref }) => inTenantScope(reach, ref('g.user_id'), ref('g.client_id')))
    .orderBy('g.gift_id', 'desc')
    .limit(limit);
  return (before === undefined ? list : list.where('g.gift_id', '<', before)).execute() as Promise<
    FaucetGift[]
  >;
};
