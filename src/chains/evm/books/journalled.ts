import type { Hash, Hex } from 'viem';
import { type Db, run } from '#kernel/db/db.ts';
import type { ChainInfo } from '../chains.ts';
import type { ContractSet } from '../contracts/deploy.ts';
import { type Movement, movementOf } from '../contracts/movement.ts';
import type { ChainTransactionStatus } from '../sending/journal.ts';

/** A movement of a token that we signed for. */
export interface EvmJournalEntry extends Movement {
  readonly hash: Hash;
  readonly reference: string;
  readonly mined_at: string;
}

interface Journalling {
  readonly info: ChainInfo;
  readonly contracts: ContractSet;
}

const PAGE = 1000;

/** Whether anything was ever signed for that chain. */
export async function isJournalled(db: Db, { chainId }: ChainInfo): Promise<boolean> {
  const [row] = await run<{ has: boolean }>(
    db,
    'select exists (select from chain_transactions where chain_id = $1) as has',
    [chainId],
  );
  return row?.has === true;
}

/** What the journal has as mined from one moment to another, by the machine's time, a page at a time. */
export async function listJournalled(
  db: Db,
  { info, contracts }: Journalling,
  {
    from,
    to,
    after,
  }: { readonly from: Date; readonly to: Date; readonly after?: string | undefined },
): Promise<{ journalled: EvmJournalEntry[]; next?: string }> {
  const [at, id] = after?.split('|') ?? [from.toISOString(), '0'];
  const rows = await run<EvmJournalEntry & { raw: Hex; place: string }>(
    db,
    `select hash, reference, mined_at, raw, mined_at::text || '|' || transaction_id as place
     from chain_transactions
     where chain_id = $1 and status = 'CONFIRMED'
       and (mined_at, transaction_id) > ($2::timestamptz, $3::bigint) and mined_at < $4
     order by mined_at, transaction_id limit ${PAGE}`,
    [info.chainId, at, id, to.toISOString()],
  );
  const journalled = rows.flatMap(({ hash, reference, mined_at, raw }) => {
    const movement = movementOf(raw, contracts);
    return movement ? [{ ...movement, hash, reference, mined_at }] : [];
  });
  const last = rows.at(-1);
  return { journalled, ...(last && rows.length === PAGE ? { next: last.place } : {}) };
}

/** What the journal knows of transactions: in which state they are, and whether they move a token by themselves. */
export interface JournalledTransaction {
  readonly status: ChainTransactionStatus;
  readonly moves: boolean;
}

export async function findJournalled(
  db: Db,
  { info, contracts }: Journalling,
  hashes: readonly Hash[],
): Promise<Map<Hash, JournalledTransaction>> {
  const rows = await run<{ hash: Hash; status: ChainTransactionStatus; raw: Hex }>(
    db,
    `select hash, status, raw from chain_transactions
     where chain_id = $1 and hash = any($2::text[])`,
    [info.chainId, [...new Set(hashes)]],
  );
  return new Map(
    rows.map(({ hash, status, raw }) => [
      hash,
      { status, moves: movementOf(raw, contracts) !== undefined },
    ]),
  );
}
