import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';
import {
  hasReference,
  NAMELESS,
  type NamesReader,
  namesOf,
  type ObjectNames,
} from '#kernel/object-names/object-names.ts';
import { type InvoiceMethod, type InvoicePayment, paymentsOfInvoices } from './payment-store.ts';

export const INVOICE_STATUSES = [
  ...(['OPEN', 'PROCESSING', 'PARTIALLY_PAID', 'PAID', 'EXPIRED', 'CANCELLED'] as const),
] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];
/** In which it can be paid, cancelled, and end because its time is over. */
export const PAYABLE_STATUSES = ['OPEN', 'PARTIALLY_PAID'] as const satisfies InvoiceStatus[];

/** Besides the wallet of the invoice. */
export const SPLITS_MAX = 10;

export const FEE_BEARERS = ['merchant', 'customer'] as const;

/** Of whom money is asked. */
export interface InvoiceCustomer {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** A line of what is sold; the price in units of the currency. */
export interface InvoiceItem {
  readonly name: string;
  readonly quantity: number;
  readonly unit_amount: string;
}

export type InvoiceRow = Omit<
  Row<'invoices'>,
  'status' | 'currency' | 'fee_bearer' | 'customer' | 'items' | 'methods'
> & {
  readonly status: InvoiceStatus;
  readonly currency: Fiat;
  readonly fee_bearer: (typeof FEE_BEARERS)[number];
  readonly customer: InvoiceCustomer | null;
  readonly items: readonly InvoiceItem[];
  readonly methods: InvoiceMethod[] | null;
};
export type InvoiceSplit = Omit<Row<'invoice_splits'>, 'invoice_id'>;

/** An invoice with who else is paid by it, its payments, and what its caller calls it. */
export type MerchantInvoice = InvoiceRow & {
  readonly splits: readonly InvoiceSplit[];
  readonly payments: readonly InvoicePayment[];
  readonly names: ObjectNames;
};

export type NewInvoice = Pick<
  InvoiceRow,
  | ('invoice_id' | 'object_id' | 'operation' | 'client_id' | 'user_id' | 'wallet_id')
  | ('account_id' | 'currency' | 'amount' | 'description' | 'customer' | 'items')
  | ('fee_bearer' | 'allow_partial' | 'methods' | 'return_url' | 'recovery_url' | 'link_id')
> & { readonly expires_in_s: number };

const NEW = [
  ...['invoice_id', 'object_id', 'operation', 'client_id', 'user_id', 'wallet_id', 'account_id'],
  ...['currency', 'amount', 'description', 'customer', 'items', 'fee_bearer'],
  ...['allow_partial', 'methods', 'return_url', 'recovery_url', 'link_id'],
].join();
const SPLIT = 'position, wallet_id, account_id, amount, bps, reference';

/** Undefined where the same request has made it before. */
export async function insertInvoice(
  tx: Db,
  { expires_in_s, ...invoice }: NewInvoice,
  splits: readonly InvoiceSplit[],
): Promise<InvoiceRow | undefined> {
  const [row] = await run<InvoiceRow>(
    tx,
    `insert into invoices (${NEW}, expires_at, status, status_times)
     select ${NEW}, service_now() + $2::integer * interval '1 second', 'OPEN', ${firstStatusTimes('OPEN')}
       from json_populate_record(null::invoices, $1::json)
     on conflict (operation) do nothing returning *`,
    [jsonOf(invoice), expires_in_s],
  );
  if (!row) return undefined;
  await run(
    tx,
    `insert into invoice_splits (invoice_id, ${SPLIT})
     select $1::uuid, ${SPLIT} from json_populate_recordset(null::invoice_splits, $2::json)`,
    [row.invoice_id, jsonOf(splits)],
  );
  return row;
}

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));

const moves = stateMovesOf<InvoiceRow>('invoices');

/** Moves one that is in one of these statuses; undefined where it is not any more. */
export const moveInvoice = (
  tx: Db,
  { invoice_id }: Pick<InvoiceRow, 'invoice_id'>,
  { from, to }: { readonly from: readonly InvoiceStatus[]; readonly to: InvoiceStatus },
  changes: Parameters<typeof moves.tryMove>[3] = {},
): Promise<InvoiceRow | undefined> => moves.tryMove(tx, { invoice_id, status: from }, to, changes);

/** Counts what is given back, or is on its way back; undefined where it has changed since it was read. */
export const countRefund = (
  tx: Db,
  { invoice_id, refunded, refunding }: Pick<InvoiceRow, 'invoice_id' | 'refunded' | 'refunding'>,
  change: Pick<InvoiceRow, 'refunded' | 'refunding'>,
): Promise<InvoiceRow | undefined> =>
  moves.tryEdit(
    tx,
    { invoice_id, refunded, refunding },
    { refunded: refunded + change.refunded, refunding: refunding + change.refunding },
  );

/** Rows with all that belongs to them. */
async function wholeInvoices(db: Db, rows: readonly InvoiceRow[]): Promise<MerchantInvoice[]> {
  if (rows.length === 0) return [];
  const invoices = rows.map(({ invoice_id }) => invoice_id);
  const splits = await run<Row<'invoice_splits'>>(
    db,
    `select s.* from unnest($1::uuid[]) i (id) cross join lateral (
       select * from invoice_splits where invoice_id = i.id order by position limit ${SPLITS_MAX}) s`,
    [invoices],
  );
  const payments = await paymentsOfInvoices(db, invoices);
  const ids = rows.map(({ object_id }) => object_id);
  const names = await namesOf(db, 'invoice', ids, 'operator');
  return rows.map((row) => ({
    ...row,
    splits: splits.filter(({ invoice_id }) => invoice_id === row.invoice_id),
    payments: payments.filter(({ invoice_id }) => invoice_id === row.invoice_id),
    names: names.get(row.object_id) ?? NAMELESS,
  }));
}

const one = async (db: Db, text: string, values: readonly unknown[]) =>
  (await wholeInvoices(db, await run<InvoiceRow>(db, text, values)))[0];

const IN_SCOPE =
  '($1::integer is null or client_id = $1) and ($2::integer is null or user_id = $2)';

/** Nothing where none of that id is within the caller's reach. */
export const findInvoice = (
  db: Db,
  { client_id, user_id }: TenantScope,
  invoice_id: string,
): Promise<MerchantInvoice | undefined> =>
  one(db, `select * from invoices where ${IN_SCOPE} and invoice_id = $3`, [
    ...[client_id ?? null, user_id ?? null, invoice_id],
  ]);

export const invoiceOfOperation = (
  db: Db,
  operation: string,
): Promise<MerchantInvoice | undefined> =>
  one(db, 'select * from invoices where operation = $1', [operation]);

/** Locks it until the transaction ends: acts on it wait for one another. */
export const lockInvoice = (
  tx: Db,
  { client_id, user_id }: TenantScope,
  invoice_id: string,
): Promise<MerchantInvoice | undefined> =>
  one(tx, `select * from invoices where ${IN_SCOPE} and invoice_id = $3 for no key update`, [
    ...[client_id ?? null, user_id ?? null, invoice_id],
  ]);

export interface InvoiceFilters {
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

/** How many invoices a page looks through for those that fit its filters. */
const LOOKED_THROUGH = 1000;

export interface InvoicePage {
  readonly rows: MerchantInvoice[];
  /** Where the next page goes on when this one has looked through as many as it may. */
  readonly looked: number | undefined;
}

interface InvoicePlace {
  readonly limit: number;
  readonly before: number | undefined;
}

/** The next ones of an owner, whatever is asked of them. */
const nextInvoices = (db: Db, { client_id, user_id }: TenantScope, { before }: InvoicePlace) =>
  db
    .selectFrom('invoices')
    .selectAll()
    .$if(client_id !== undefined, (q) => q.where('client_id', '=', Number(client_id)))
    .$if(user_id !== undefined, (q) => q.where('user_id', '=', Number(user_id)))
    .$if(before !== undefined, (q) => q.where('serial', '<', Number(before)))
    .orderBy('serial', 'desc')
    .limit(LOOKED_THROUGH);

/** Newest first; of a thousand, those that fit. */
export async function listMerchantInvoices(
  db: Db,
  { scope, reader }: { readonly scope: TenantScope; readonly reader: NamesReader },
  { status, reference, created_from, created_to }: InvoiceFilters,
  place: InvoicePlace,
): Promise<InvoicePage> {
  const { limit } = place;
  const query = db
    .selectFrom(nextInvoices(db, scope, place).as('i'))
    .selectAll()
    .$if(status !== undefined, (q) => q.where('status', '=', String(status)))
    .$if(created_from !== undefined, (q) => q.where('created_at', '>=', String(created_from)))
    .$if(created_to !== undefined, (q) => q.where('created_at', '<=', String(created_to)))
    .$if(reference !== undefined, (q) =>
      q.where(({ ref }) =>
        hasReference({ type: 'invoice', reader }, ref('i.object_id'), String(reference)),
      ),
    )
    .orderBy('serial', 'desc')
    .limit(limit);
  const rows = (await query.execute()) as unknown as InvoiceRow[];
  return {
    rows: await wholeInvoices(db, rows),
    looked: rows.length === limit ? undefined : await lookedTo(db, scope, place),
  };
}

async function lookedTo(
  db: Db,
  scope: TenantScope,
  place: InvoicePlace,
): Promise<number | undefined> {
  const { last, count } = await db
    .selectFrom(nextInvoices(db, scope, place).as('i'))
    .select(({ fn }) => [fn.min('serial').as('last'), fn.countAll<number>().as('count')])
    .executeTakeFirstOrThrow();
  return Number(count) === LOOKED_THROUGH ? Number(last) : undefined;
}

/** Locks those whose time is over and whose payments have ended, up to the limit. */
export async function invoicesToExpire(tx: Db, limit: number): Promise<MerchantInvoice[]> {
  const rows = await run<InvoiceRow>(
    tx,
    `select * from invoices
      where status in ('OPEN', 'PARTIALLY_PAID') and open_tries = 0 and expires_at <= service_now()
      order by expires_at limit $1 for no key update skip locked`,
    [limit],
  );
  return wholeInvoices(tx, rows);
}
