import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { type LookedRows, lookedPage } from '#kernel/db/looked-page.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';
import { referenceRule } from '#kernel/object-names/reference-rule.ts';

export const BATCH_STATUSES = [
  ...(['DRAFT', 'PENDING_APPROVAL', 'SCHEDULED', 'PROCESSING', 'COMPLETED'] as const),
  ...(['PARTIALLY_COMPLETED', 'FAILED', 'REJECTED', 'CANCELLED', 'EXPIRED'] as const),
] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

export const FUNDINGS = ['at_approval', 'per_item'] as const;
export type Funding = (typeof FUNDINGS)[number];

/** A row that cannot be paid. */
export interface RowError {
  readonly line: number;
  readonly field: string;
  readonly message: string;
}

/** Many payments out of one wallet. */
export type PaymentBatch = Omit<
  Row<'batches'>,
  'currency' | 'received_currency' | 'status' | 'funding' | 'errors'
> & {
  readonly currency: Fiat;
  /** What arrives by a quote; null where it is what leaves the wallet. */
  readonly received_currency: Fiat | null;
  readonly status: BatchStatus;
  readonly funding: Funding;
  readonly errors: readonly RowError[];
};

export type NewBatch = Pick<
  PaymentBatch,
  | ('batch_id' | 'our_reference' | 'operation' | 'client_id' | 'user_id' | 'made_by' | 'wallet_id')
  | ('account_id' | 'currency' | 'name' | 'funding' | 'execute_at' | 'item_count' | 'total')
  | ('fees' | 'errors' | 'content_hash' | 'file_id' | 'import_key')
  | ('quote_id' | 'received_currency' | 'received_total')
>;

const COLUMNS = [
  ...['batch_id', 'our_reference', 'operation', 'client_id', 'user_id', 'made_by', 'wallet_id'],
  ...['account_id', 'currency', 'name', 'funding', 'execute_at', 'item_count', 'total'],
  ...['fees', 'errors', 'content_hash', 'file_id', 'import_key'],
  ...['quote_id', 'received_currency', 'received_total'],
] as const satisfies readonly (keyof NewBatch)[];

/** Undefined where the same request has made one. */
export async function insertBatch(tx: Db, one: NewBatch): Promise<PaymentBatch | undefined> {
  const values = COLUMNS.map((column) =>
    column === 'errors' ? JSON.stringify(one.errors) : one[column],
  );
  const [row] = await run<PaymentBatch>(
    tx,
    `insert into batches (${COLUMNS.join()}, status, status_times)
     values (${COLUMNS.map((_, at) => `$${at + 1}`).join()}, 'DRAFT', ${firstStatusTimes('DRAFT')})
     on conflict (operation) do nothing returning *`,
    values,
  );
  return row;
}

const { tryMove, tryEdit } = stateMovesOf<PaymentBatch>('batches');
export const moveBatch = tryMove;
export const editBatch = tryEdit;

/** By its id, or by the operation of its request. */
export async function findBatch(
  db: Db,
  { our_reference, operation }: Partial<Pick<PaymentBatch, 'our_reference' | 'operation'>>,
): Promise<PaymentBatch | undefined> {
  const column = our_reference === undefined ? 'operation' : 'our_reference';
  const text = `select * from batches where ${column} = $1`;
  return (await run<PaymentBatch>(db, text, [our_reference ?? operation]))[0];
}

/** Nothing where the caller's reach has none of that id. */
export async function batchInScope(
  db: Db,
  { client_id, user_id }: TenantScope,
  our_reference: string,
): Promise<PaymentBatch | undefined> {
  const text = `select * from batches where our_reference = $1
    and ($2::integer is null or client_id = $2) and ($3::integer is null or user_id = $3)`;
  return (
    await run<PaymentBatch>(db, text, [our_reference, client_id ?? null, user_id ?? null])
  )[0];
}

/** Locks one until the transaction ends. */
export async function lockBatch(tx: Db, our_reference: string): Promise<PaymentBatch> {
  const text = 'select * from batches where our_reference = $1 for no key update';
  const [row] = await run<PaymentBatch>(tx, text, [our_reference]);
  if (!row) throw new Error(`There is no batch ${our_reference}`);
  return row;
}

/** Those that are due or under way: a step of each is looked at each minute. */
export async function batchesUnderWay(db: Db, limit: number, after: string): Promise<string[]> {
  const text = `select our_reference from batches where status in ('SCHEDULED', 'PROCESSING') and due_at <= service_now()
    and our_reference > $2 order by our_reference limit $1`;
  const rows = await run<Pick<PaymentBatch, 'our_reference'>>(db, text, [limit, after]);
  return rows.map(({ our_reference }) => our_reference);
}

export interface BatchFilters {
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

const OWN = 'select t.*, t.our_reference as object_id from batches t where';
const SIDES = {
  user: `${OWN} t.user_id = $2 and t.serial < $1`,
  client: `${OWN} t.client_id = $2 and t.serial < $1`,
  all: `${OWN} $2::integer is null and t.serial < $1`,
} as const;

/** Of these files those that batches were made of. */
export async function filesOfBatches(db: Db, file_ids: readonly string[]): Promise<string[]> {
  const text = 'select distinct file_id from batches where file_id = any($1)';
  const rows = await run<Pick<PaymentBatch, 'file_id'>>(db, text, [file_ids]);
  return rows.flatMap(({ file_id }) => file_id ?? []);
}

/** Within the caller's reach, newest first. */
export function pageOfBatches(
  db: Db,
  { client_id, user_id }: TenantScope,
  { status, reference, created_from, created_to }: BatchFilters,
  place: { readonly limit: number; readonly before: number | undefined },
): Promise<LookedRows<PaymentBatch>> {
  const side = user_id === undefined ? (client_id === undefined ? 'all' : 'client') : 'user';
  return lookedPage<PaymentBatch>(db, {
    ...place,
    sides: [SIDES[side]],
    values: [user_id ?? client_id ?? null],
    filters: [
      [status, (given) => `t.status = ${given}`],
      [reference, referenceRule('batch')],
      [created_from, (given) => `t.created_at >= ${given}::timestamptz`],
      [created_to, (given) => `t.created_at < ${given}::timestamptz + interval '1 millisecond'`],
    ],
  });
}
