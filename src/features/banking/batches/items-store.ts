import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';

export const ITEM_STATUSES = [
  ...(['PENDING', 'HELD', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED', 'RETURNED'] as const),
] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

/** One payment of a batch. */
export type BatchItem = Omit<Row<'batch_items'>, 'currency' | 'received_currency' | 'status'> & {
  readonly currency: Fiat;
  /** What arrives by a quote; null where it is what leaves the wallet. */
  readonly received_currency: Fiat | null;
  readonly status: ItemStatus;
};

export type NewItem = Pick<
  BatchItem,
  | ('item_id' | 'our_reference' | 'line' | 'recipient_id' | 'fingerprint' | 'rail')
  | ('sealed_payee' | 'to_wallet_id' | 'payee_name' | 'payee_detail' | 'amount' | 'fee')
  | ('fee_terms' | 'reference' | 'note' | 'received_amount')
>;

const AT_ONCE = 1000;

/** The lines of a batch, a thousand in a statement. Whose they are is what the batch says. */
export async function insertItems(
  tx: Db,
  batch_id: string,
  items: readonly NewItem[],
): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE)
    await insertSome(tx, batch_id, items.slice(from, from + AT_ONCE));
}

async function insertSome(tx: Db, batch_id: string, items: readonly NewItem[]): Promise<void> {
  const of = <C extends keyof NewItem>(name: C) => items.map((one) => one[name]);
  const terms = items.map(({ fee_terms }) => (fee_terms === null ? null : String(fee_terms)));
  await run(
    tx,
    `insert into batch_items (batch_id, client_id, user_id, wallet_id, account_id, currency, status_times,
       item_id, our_reference, line, recipient_id, fingerprint, rail, sealed_payee, to_wallet_id, payee_name,
       payee_detail, amount, fee, fee_terms, reference, note, received_currency, received_amount)
     select b.batch_id, b.client_id, b.user_id, b.wallet_id, b.account_id, b.currency, ${firstStatusTimes('PENDING')},
       i.item_id, i.our_reference, i.line, i.recipient_id, decode(i.fingerprint, 'hex'), i.rail, i.sealed_payee,
       i.to_wallet_id, i.payee_name, i.payee_detail, i.amount, i.fee, i.fee_terms::jsonb, i.reference, i.note, b.received_currency,
       i.received_amount
     from batches b, unnest($2::uuid[], $3::text[], $4::integer[], $5::uuid[], $6::text[], $7::text[], $8::text[],
       $9::integer[], $10::text[], $11::text[], $12::numeric[], $13::numeric[], $14::text[], $15::text[], $16::text[],
       $17::numeric[])
       i (item_id, our_reference, line, recipient_id, fingerprint, rail, sealed_payee, to_wallet_id, payee_name,
         payee_detail, amount, fee, fee_terms, reference, note, received_amount)
     where b.batch_id = $1`,
    [
      ...[batch_id, of('item_id'), of('our_reference'), of('line'), of('recipient_id')],
      ...[of('fingerprint').map((mark) => mark.toString('hex')), of('rail'), of('sealed_payee')],
      ...[of('to_wallet_id'), of('payee_name'), of('payee_detail')],
      ...[of('amount').map(String), of('fee').map(String), terms, of('reference'), of('note')],
      of('received_amount').map((units) => units?.toString() ?? null),
    ],
  );
}

export async function deleteItems(tx: Db, batch_id: string): Promise<void> {
  await run(tx, 'delete from batch_items where batch_id = $1', [batch_id]);
}

const { tryMove, tryEdit } = stateMovesOf<BatchItem>('batch_items');
export const moveItem = tryMove;
export const editItem = tryEdit;

export async function requireItem(db: Db, our_reference: string): Promise<BatchItem> {
  const text = 'select * from batch_items where our_reference = $1';
  const [row] = await run<BatchItem>(db, text, [our_reference]);
  if (!row) throw new Error(`There is no item ${our_reference}`);
  return row;
}

/** The quote by which the payments of a batch arrive in another currency. */
export async function quoteOfItems(db: Db, batch_id: string): Promise<string> {
  const text = 'select quote_id from batches where batch_id = $1';
  const [row] = await run<Row<'batches', 'quote_id'>>(db, text, [batch_id]);
  if (!row?.quote_id) throw new Error(`The batch ${batch_id} has no quote`);
  return row.quote_id;
}

/** What is hashed of a line, and whom it pays. */
export type HashedLine = Pick<
  BatchItem,
  | ('line' | 'amount' | 'currency' | 'received_amount' | 'received_currency')
  | ('reference' | 'recipient_id' | 'fingerprint' | 'to_wallet_id')
>;

export const hashedLines = (db: Db, batch_id: string): Promise<HashedLine[]> =>
  run<HashedLine>(
    db,
    `select line, amount, currency, received_amount, received_currency, reference, recipient_id, fingerprint, to_wallet_id
       from batch_items where batch_id = $1 order by line`,
    [batch_id],
  );

/** How many items are in each status, and their sums. */
export interface ItemSums extends Pick<BatchItem, 'batch_id' | 'status' | 'amount'> {
  readonly count: number;
}

export const itemSums = (db: Db, batch_ids: readonly string[]): Promise<ItemSums[]> =>
  run<ItemSums>(
    db,
    `select batch_id, status, count(*)::integer as count, sum(amount) as amount from batch_items
      where batch_id = any($1) group by batch_id, status`,
    [batch_ids],
  );

export interface ItemFilters {
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

/** In the order of their lines, after that one. */
export const pageOfItems = (
  db: Db,
  batch_id: string,
  { status, reference, created_from, created_to }: ItemFilters,
  { limit, before: after }: { readonly limit: number; readonly before: number | undefined },
): Promise<BatchItem[]> =>
  run<BatchItem>(
    db,
    `select * from batch_items where batch_id = $1 and line > $2 and ($3::text is null or status = $3)
       and ($4::text is null or reference = $4 or our_reference = $4)
       and ($5::timestamptz is null or created_at >= $5)
       and ($6::timestamptz is null or created_at < $6::timestamptz + interval '1 millisecond')
      order by line limit $7`,
    [
      ...[batch_id, after ?? 0, status ?? null, reference ?? null],
      ...[created_from ?? null, created_to ?? null, limit],
    ],
  );

/** Whether a recipient is named by an item that has not ended. */
export async function isRecipientInBatch(tx: Db, recipient_id: string): Promise<boolean> {
  const text = `select from batch_items i join batches b on b.batch_id = i.batch_id where i.recipient_id = $1
    and i.status in ('PENDING', 'HELD', 'PROCESSING') and b.status not in ('DRAFT', 'REJECTED', 'EXPIRED', 'CANCELLED') limit 1`;
  return (await run(tx, text, [recipient_id])).length > 0;
}

/** The ids of all items of a batch. */
export async function itemIds(tx: Db, batch_id: string): Promise<string[]> {
  const text = 'select our_reference from batch_items where batch_id = $1';
  const rows = await run<Pick<BatchItem, 'our_reference'>>(tx, text, [batch_id]);
  return rows.map(({ our_reference }) => our_reference);
}

/** Their ids with the callers' references. */
export const itemReferences = (
  tx: Db,
  batch_id: string,
): Promise<{ readonly object_id: string; readonly reference: string }[]> =>
  run(tx, 'select our_reference as object_id, reference from batch_items where batch_id = $1', [
    batch_id,
  ]);

/**
 * The fees in rupiah of those that the gateway pays. A fee in another currency is the platform's, and covers nothing of
 * what the gateway takes.
 */
export async function gatewayItems(tx: Db, batch_id: string): Promise<readonly bigint[]> {
  const text = `select case currency when 'IDR' then fee else 0 end as fee from batch_items where batch_id = $1 and rail = 'gateway'`;
  return (await run<Pick<BatchItem, 'fee'>>(tx, text, [batch_id])).map(({ fee }) => fee);
}
