import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { Quotable } from './quote-price.ts';

export const QUOTE_STATUSES = ['OPEN', 'USED', 'EXPIRED', 'CANCELLED'] as const;
export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

/** Kinds of quotes: what they are a price of. */
export const QUOTE_KINDS = ['fx', 'bridge'] as const;
export type QuoteKind = (typeof QUOTE_KINDS)[number];

/** How long prices hold, in seconds. */
export const QUOTE_PERIODS = { '30s': 30, '5m': 300, '1h': 3600, '24h': 86_400 } as const;
export type QuotePeriod = keyof typeof QUOTE_PERIODS;
/** The one of the bridge, whose fees follow the chains. */
export const BRIDGE_PERIOD = '60s';
const SECONDS = { ...QUOTE_PERIODS, [BRIDGE_PERIOD]: 60 } as const;

/** A charge beside the amounts of a quote, in whole units. */
export interface QuoteFee {
  readonly rail: string;
  readonly currency: Quotable;
  readonly units: string;
}

/** Where a quote of the bridge leads, and what is taken off its amount; units as text. */
export interface QuotedBridge {
  readonly route_id: string;
  readonly from_chain: string;
  readonly to_chain: string;
  readonly mode: string;
  readonly recipient_address: string;
  /** Absent in quotes of before there were tags. */
  readonly recipient_tag?: number | null;
  readonly platform_fee: string;
  readonly network_fee: string;
}

type Columns = Row<'quotes'>;
export type Quote = Omit<
  Columns,
  | ('kind' | 'status' | 'fixed_side' | 'from_currency' | 'to_currency')
  | ('valid_for' | 'fees' | 'bridge')
> & {
  readonly kind: QuoteKind;
  readonly status: QuoteStatus;
  readonly fixed_side: 'from' | 'to';
  readonly from_currency: Quotable;
  readonly to_currency: Quotable;
  readonly valid_for: QuotePeriod | typeof BRIDGE_PERIOD;
  readonly fees: readonly QuoteFee[];
  /** Null of a quote between currencies. */
  readonly bridge: QuotedBridge | null;
};

export type NewQuote = Omit<
  Quote,
  | ('serial' | 'kind' | 'status' | 'used_by' | 'is_promised')
  | ('created_at' | 'updated_at' | 'expires_at' | 'bridge')
> & { readonly bridge?: QuotedBridge };

/** The status of this moment: an open one that has lapsed is EXPIRED before its row says so. */
const statusNow = (row: Quote & { readonly has_lapsed: boolean }): Quote => {
  const { has_lapsed, ...quote } = row;
  return has_lapsed ? { ...quote, status: 'EXPIRED' } : quote;
};
const NOW_READ = `select q.*, q.status = 'OPEN' and q.expires_at <= service_now() as has_lapsed from quotes q`;

export async function insertQuote(tx: Db, quote: NewQuote): Promise<Quote> {
  const { fees, valid_for, bridge, ...rest } = quote;
  const kind = bridge ? { kind: 'bridge', is_promised: false, bridge: JSON.stringify(bridge) } : {};
  const row = { ...rest, ...kind };
  const columns = Object.keys(row);
  const values = Object.values(row).map((value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  const n = columns.length;
  const [inserted] = await run<Quote>(
    tx,
    `insert into quotes (${columns.join(', ')}, valid_for, fees, expires_at)
     values (${columns.map((_, i) => `$${i + 1}`).join(', ')}, $${n + 1}, $${n + 2}::jsonb,
       service_now() + $${n + 3}::integer * interval '1 second') returning *`,
    [...values, valid_for, JSON.stringify(fees), SECONDS[valid_for]],
  );
  if (!inserted) throw new Error('A quote was not written');
  return inserted;
}

/** A user's quote, of either kind. */
export async function findQuote(
  db: Db,
  { quote_id, user_id }: Pick<Quote, 'quote_id' | 'user_id'>,
): Promise<Quote | undefined> {
  const text = `${NOW_READ} where q.quote_id = $1 and q.user_id = $2`;
  const [row] = await run<Quote & { has_lapsed: boolean }>(db, text, [quote_id, user_id]);
  return row && statusNow(row);
}

/** By the status of this moment, each by an index. */
const BY_STATUS: Readonly<Record<QuoteStatus, string>> = {
  OPEN: `and q.status = 'OPEN' and q.expires_at > service_now()`,
  USED: `and q.status = 'USED'`,
  CANCELLED: `and q.status = 'CANCELLED'`,
  EXPIRED: `and q.status in ('EXPIRED', 'OPEN') and q.expires_at <= service_now()`,
};

/** Of a user, newest first. */
export async function listQuotes(
  db: Db,
  { user_id, status, kind }: Pick<Quote, 'user_id'> & Partial<Pick<Quote, 'status' | 'kind'>>,
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<Quote[]> {
  const rows = await run<Quote & { has_lapsed: boolean }>(
    db,
    `${NOW_READ} where q.user_id = $1 and q.serial < $2 ${status ? BY_STATUS[status] : ''}
       and ($3::text is null or q.kind = $3) order by q.serial desc limit $4`,
    [user_id, before ?? Number.MAX_SAFE_INTEGER, kind ?? null, limit],
  );
  return rows.map(statusNow);
}

/**
 * Uses an open one up for a thing; undefined where another thing was faster, or its time is over. Its amounts stay
 * promised until `endPromise`.
 */
export async function takeQuote(
  tx: Db,
  { quote_id, user_id }: Pick<Quote, 'quote_id' | 'user_id'>,
  used_by: string,
): Promise<Quote | undefined> {
  const text = `update quotes set status = 'USED', used_by = $3, updated_at = service_now()
    where quote_id = $1 and user_id = $2 and status = 'OPEN' and expires_at > service_now() returning *`;
  return (await run<Quote>(tx, text, [quote_id, user_id, used_by]))[0];
}

/** Its money moves, or will not: the position does not count it as promised any more. */
export async function endPromise(tx: Db, quote_id: string): Promise<void> {
  const text = `update quotes set is_promised = false, updated_at = service_now()
    where quote_id = $1 and status = 'USED' and is_promised`;
  await run(tx, text, [quote_id]);
}

/** Undefined where it is not open. */
export async function cancelQuote(
  tx: Db,
  { quote_id, user_id }: Pick<Quote, 'quote_id' | 'user_id'>,
): Promise<Quote | undefined> {
  const text = `update quotes set status = 'CANCELLED', is_promised = false, updated_at = service_now()
    where quote_id = $1 and user_id = $2 and status = 'OPEN' and expires_at > service_now() returning *`;
  return (await run<Quote>(tx, text, [quote_id, user_id]))[0];
}

/** Ends some of those whose time is over; answers how many. What another transaction uses is left to that. */
export async function expireQuotes(tx: Db, limit: number): Promise<number> {
  const text = `update quotes set status = 'EXPIRED', is_promised = false, updated_at = service_now()
    where serial = any(array(select serial from quotes where status = 'OPEN' and expires_at <= service_now()
      order by expires_at limit $1 for update skip locked)) returning 1`;
  return (await run(tx, text, [limit])).length;
}

/** How many of a user's are open, and when the first of them ends. Others of the same user wait until the commit. */
export async function countOpenQuotes(
  tx: Db,
  user_id: number,
): Promise<{ readonly open: number; readonly first_ends: string | null }> {
  await run(tx, 'select from users where user_id = $1 for no key update', [user_id]);
  const [row] = await run<{ open: number; first_ends: string | null }>(
    tx,
    `select count(*)::integer as open, min(expires_at) as first_ends from quotes
      where user_id = $1 and status = 'OPEN' and expires_at > service_now()`,
    [user_id],
  );
  return row ?? { open: 0, first_ends: null };
}
