import { sql } from 'kysely';
import type { Db } from '#kernel/db/db.ts';
import { type CardTransaction, cardTransactions } from './store.ts';

export interface HistoryPage {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
  readonly reference?: string | undefined;
}

/** Newest first, before a given one. */
export async function listByWallet(
  db: Db,
  wallet_id: number,
  { limit, before, created_from, created_to, reference }: HistoryPage,
): Promise<CardTransaction[]> {
  const known = reference ?? '';
  const rows = await cardTransactions(db)
    .where('t.wallet_id', '=', wallet_id)
    .$if(before !== undefined, (q) => q.where('t.id', '<', before ?? 0))
    .$if(created_from !== undefined, (q) =>
      q
        .where('t.id', '>=', firstSince(created_from, -SLACK_MS))
        .where('t.created_at', '>=', created_from ?? ''),
    )
    .$if(created_to !== undefined, (q) =>
      q
        .where('t.id', '<', firstSince(created_to, SLACK_MS))
        .where(
          't.created_at',
          '<',
          sql<string>`${created_to}::timestamptz + interval '1 millisecond'`,
        ),
    )
    .$if(reference !== undefined, (q) =>
      q.where((t) => t.or([t('t.reference_id', '=', known), t('t.rrn', '=', known)])),
    )
    .orderBy('t.id', 'desc')
    .limit(limit)
    .execute();
  return rows as CardTransaction[];
}

/**
 * Transactions of all wallets share their numbers, so that concurrent ones may have numbers and times in different orders.
 * No transaction takes longer between the two.
 */
const SLACK_MS = 60_000;

/** The id of the first transaction at or after that time plus `more` milliseconds. */
const firstSince = (at: string | undefined, more: number) =>
  sql<number>`card_transactions_since(${at}::timestamptz + ${more} * interval '1 millisecond')`;

/** Rows of a wallet that a page by status looks through. */
const LOOKED_THROUGH = 1000;

/**
 * A wallet's transactions with that status among the next rows, and where to go on while there are more to look
 * through. A page may be short or empty although the list goes on.
 */
export async function listByStatus(
  db: Db,
  wallet_id: number,
  status: string,
  page: HistoryPage,
): Promise<{ rows: CardTransaction[]; next_before: number | null }> {
  const looked = await listByWallet(db, wallet_id, { ...page, limit: LOOKED_THROUGH });
  const found = looked.filter((row) => row.status === status);
  const rows = found.slice(0, page.limit);
  if (found.length > rows.length) return { rows, next_before: rows.at(-1)?.id ?? null };
  const isCut = looked.length === LOOKED_THROUGH;
  return { rows, next_before: isCut ? (looked.at(-1)?.id ?? null) : null };
}

/** The last transaction of a flow. */
export async function findOfFlow(db: Db, flow: string): Promise<CardTransaction | undefined> {
  const row = await cardTransactions(db)
    .where('t.flow', '=', flow)
    .orderBy('t.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row as CardTransaction | undefined;
}
