import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { type LookedRows, lookedPage } from '#kernel/db/looked-page.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';
import { referenceRule } from '#kernel/object-names/reference-rule.ts';
import type { InvoiceMethod } from '../payment-store.ts';
import type { InvoiceFilters, InvoiceRow } from '../store.ts';

export const LINK_STATUSES = ['ACTIVE', 'PAUSED', 'EXHAUSTED', 'EXPIRED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];
export const LINK_USAGES = ['once', 'many'] as const;

export type PaymentLink = Omit<
  Row<'payment_links'>,
  'status' | 'currency' | 'usage' | 'methods'
> & {
  readonly status: LinkStatus;
  readonly currency: Fiat;
  readonly usage: (typeof LINK_USAGES)[number];
  readonly methods: InvoiceMethod[] | null;
};

export type NewPaymentLink = Pick<
  PaymentLink,
  | ('link_id' | 'object_id' | 'operation' | 'client_id' | 'user_id' | 'wallet_id' | 'title')
  | ('currency' | 'amount' | 'least' | 'most' | 'usage' | 'max_payments' | 'expires_at')
  | ('methods' | 'return_url')
> & { readonly key_digest: Buffer };

const NEW = [
  ...['link_id', 'object_id', 'operation', 'client_id', 'user_id', 'wallet_id', 'title'],
  ...['currency', 'amount', 'least', 'most', 'usage', 'max_payments', 'expires_at'],
  ...['methods', 'return_url'],
].join();

/** Undefined where the same request has made it before. */
export async function insertPaymentLink(
  tx: Db,
  { key_digest, ...link }: NewPaymentLink,
): Promise<PaymentLink | undefined> {
  const [row] = await run<PaymentLink>(
    tx,
    `insert into payment_links (${NEW}, key_digest, status, status_times)
     select ${NEW}, $2::bytea, 'ACTIVE', ${firstStatusTimes('ACTIVE')}
       from json_populate_record(null::payment_links, $1::json)
     on conflict (operation) do nothing returning *`,
    [
      JSON.stringify(link, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one)),
      key_digest,
    ],
  );
  return row;
}

const one = async (db: Db, where: string, values: readonly unknown[]) =>
  (await run<PaymentLink>(db, `select * from payment_links l where ${where}`, values))[0];

const IN_SCOPE =
  '($1::integer is null or client_id = $1) and ($2::integer is null or user_id = $2)';

/** Nothing where none of that id is within the caller's reach. */
export const findPaymentLink = (
  db: Db,
  { client_id, user_id }: TenantScope,
  link_id: string,
): Promise<PaymentLink | undefined> =>
  one(db, `${IN_SCOPE} and link_id = $3`, [client_id ?? null, user_id ?? null, link_id]);

/** Locks it until the transaction ends. */
export const lockLink = (
  tx: Db,
  { client_id, user_id }: TenantScope,
  link_id: string,
): Promise<PaymentLink | undefined> =>
  one(tx, `${IN_SCOPE} and link_id = $3 for no key update`, [
    ...[client_id ?? null, user_id ?? null, link_id],
  ]);

export const linkOfOperation = (db: Db, operation: string): Promise<PaymentLink | undefined> =>
  one(db, 'operation = $1', [operation]);

/** The one whose address has the key. Nothing where its merchant or their client is stopped. */
export const linkOfKey = (db: Db, digest: Buffer): Promise<PaymentLink | undefined> =>
  one(
    db,
    `key_digest = $1 and exists (select from users u join clients c using (client_id)
       where u.user_id = l.user_id and u.user_status = 'ACTIVE' and client_is_open(c.client_status))`,
    [digest],
  );

const SIDES = {
  all: 'select * from payment_links where serial < $1 and $2::integer is null',
  client: 'select * from payment_links where serial < $1 and client_id = $2',
  user: 'select * from payment_links where serial < $1 and user_id = $2',
} as const;

/** Within the caller's reach, newest first. */
export function pageOfLinks(
  db: Db,
  { client_id, user_id }: TenantScope,
  { status, reference, created_from, created_to }: InvoiceFilters,
  place: { readonly limit: number; readonly before: number | undefined },
): Promise<LookedRows<PaymentLink>> {
  const side = user_id === undefined ? (client_id === undefined ? 'all' : 'client') : 'user';
  return lookedPage<PaymentLink>(db, {
    ...place,
    sides: [SIDES[side]],
    values: [user_id ?? client_id ?? null],
    filters: [
      [status, (given) => `t.status = ${given}`],
      [reference, referenceRule('payment_link')],
      [created_from, (given) => `t.created_at >= ${given}::timestamptz`],
      [created_to, (given) => `t.created_at < ${given}::timestamptz + interval '1 millisecond'`],
    ],
  });
}

const moves = stateMovesOf<PaymentLink>('payment_links');
type Changes = Parameters<typeof moves.tryEdit>[2];

export const moveLink = (
  tx: Db,
  { link_id }: Pick<PaymentLink, 'link_id'>,
  { from, to }: { readonly from: readonly LinkStatus[]; readonly to: LinkStatus },
  changes: Changes = {},
): Promise<PaymentLink | undefined> => moves.tryMove(tx, { link_id, status: from }, to, changes);

/** Takes a place for one more invoice; undefined where there is none, or it does not take any now. */
export async function takePlace(tx: Db, link_id: string): Promise<PaymentLink | undefined> {
  const [row] = await run<PaymentLink>(
    tx,
    `update payment_links set taken = taken + 1
      where link_id = $1 and status = 'ACTIVE' and (max_payments is null or taken < max_payments)
        and (expires_at is null or expires_at > service_now()) returning *`,
    [link_id],
  );
  return row;
}

/** Gives the place of an invoice back that has ended unpaid. */
export const freePlace = (tx: Db, link_id: string) =>
  run(tx, 'update payment_links set taken = taken - 1 where link_id = $1', [link_id]);

/** Counts an invoice that is paid; answers the link. */
export async function countLinkPaid(tx: Db, link_id: string): Promise<PaymentLink | undefined> {
  const text = 'update payment_links set paid = paid + 1 where link_id = $1 returning *';
  return (await run<PaymentLink>(tx, text, [link_id]))[0];
}

/** The latest invoice of a link that has not ended. */
export async function openInvoiceOfLink(
  db: Db,
  link_id: string,
): Promise<Pick<InvoiceRow, 'invoice_id' | 'status' | 'expires_at'> | undefined> {
  const text = `select invoice_id, status, expires_at from invoices
    where link_id = $1 and status in ('OPEN', 'PROCESSING', 'PARTIALLY_PAID') order by serial desc limit 1`;
  const [row] = await run<Pick<InvoiceRow, 'invoice_id' | 'status' | 'expires_at'>>(db, text, [
    link_id,
  ]);
  return row;
}

/** Those whose time is over, up to the limit. They are not locked: of several processes one moves each. */
export const linksToExpire = (tx: Db, limit: number): Promise<PaymentLink[]> =>
  run(
    tx,
    `select * from payment_links where status in ('ACTIVE', 'PAUSED') and expires_at <= service_now()
      order by expires_at limit $1`,
    [limit],
  );
