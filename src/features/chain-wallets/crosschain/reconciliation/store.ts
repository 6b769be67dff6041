import type { ChainKey } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { CrosschainTransfer } from '../store.ts';

/** Minted, both ends of which were not found as they should be so far, nor looked at since then. */
export const listUnreconciled = (
  db: Db,
  since: Date,
  limit: number,
): Promise<CrosschainTransfer[]> =>
  run(
    db,
    `select * from crosschain_transfers
     where status = 'MINTED' and reconciled_at is null
       and coalesce(checked_at, '-infinity') < $1
     order by coalesce(checked_at, '-infinity'), serial limit $2`,
    [since.toISOString(), limit],
  );

/** Burnt that long ago, not minted, and not looked at yet. */
export const listStuck = (db: Db, before: Date, limit: number): Promise<CrosschainTransfer[]> =>
  run(
    db,
    `select * from crosschain_transfers
     where status = 'BURNED' and checked_at is null and updated_at < $1
     order by updated_at limit $2`,
    [before.toISOString(), limit],
  );

/** It was looked at in this state; \`isWhole\` when both ends are as they should be, and will stay so. */
export async function markChecked(
  db: Db,
  { log_id, status }: CrosschainTransfer,
  { at, isWhole }: { readonly at: Date; readonly isWhole: boolean },
): Promise<void> {
  await run(
    db,
    `update crosschain_transfers
     set checked_at = $3, reconciled_at = case when $4 then $3::timestamptz end
     where log_id = $1 and status = $2 and reconciled_at is null`,
    [log_id, status, at.toISOString(), isWhole],
  );
}

export type BreakKind = 'BURN' | 'MINT' | 'STUCK' | 'SUPPLY';

/** Something that is not as it should be, and what is known of it. */
export interface CrosschainBreak {
  readonly kind: BreakKind;
  /** The transfer's log_id, or the chain. */
  readonly subject: string;
  readonly details: Readonly<Record<string, string>>;
}

/** Writes it down once, however often it is found; answers whether it is new. */
export async function openBreak(
  db: Db,
  { kind, subject, details }: CrosschainBreak,
  at: Date,
): Promise<boolean> {
  const [row] = await run<{ is_new: boolean }>(
    db,
    `insert into crosschain_breaks (kind, subject, details, found_at, last_at)
     values ($1, $2, $3::jsonb, $4, $4)
     on conflict (kind, subject) where settled_at is null
       do update set last_at = excluded.last_at, details = excluded.details
     returning found_at = last_at as is_new`,
    [kind, subject, JSON.stringify(details), at.toISOString()],
  );
  return row?.is_new === true;
}

/** It is as it should be by now. */
export async function settleBreak(
  db: Db,
  kind: BreakKind,
  subject: string,
  at: Date,
): Promise<void> {
  await run(
    db,
    `update crosschain_breaks set settled_at = $3
     where kind = $1 and subject = $2 and settled_at is null`,
    [kind, subject, at.toISOString()],
  );
}

/** Changes whenever a burn on that chain is written down; nothing while one of ours is under way. */
export async function logStamp(db: Db, key: ChainKey): Promise<number | undefined> {
  const [row] = await run<Partial<Row<'crosschain_burnt', 'changes'>> & { is_open: boolean }>(
    db,
    `select
       (select changes from crosschain_burnt where chain_id = $1) as changes,
       exists (select from effects e
         join crosschain_transfers t on t.log_id = split_part(e.id, ':', 1)::uuid
         where e.kind = 'burn' and e.state = 'OPEN' and t.from_chain = $1) as is_open`,
    [key],
  );
  return row?.is_open === false ? (row.changes ?? 0) : undefined;
}

/** Units that left over the bridge, by any sender: seen on chain, and in our log. */
export async function unitsBurntAtBridge(db: Db, key: ChainKey): Promise<bigint> {
  const [row] = await run<Row<'crosschain_burnt', 'units'>>(
    db,
    'select units from crosschain_burnt where chain_id = $1',
    [key],
  );
  return row?.units ?? 0n;
}
