import type { TenantScope } from '../access/tenant-scope.ts';
import { type Db, run } from '../db/db.ts';
import type { Row } from '../db/row.ts';
import { nextAttemptSql } from '../effects/next-attempt.ts';
import { uuidOfObjectId } from '../object-id.ts';
import type { NamesReader } from '../object-names/object-names.ts';
import type { PaymentSource } from '../payments/payment-source.ts';

/** A payment, and what is open of it where it is pending. */
export type ListedPayment = Row<'payments'> & {
  /** Since when a call has no known outcome. */
  readonly in_doubt_since: string | null;
  readonly next_attempt_at: string | null;
  /** A call or flow of it has no job any more. */
  readonly is_stalled: boolean | null;
  /** There is an open call or flow. */
  readonly is_at_work: boolean | null;
};

/** What a list of payments is narrowed to; times and amounts include both ends. */
export interface PaymentFilters {
  readonly rail?: string | undefined;
  readonly direction?: string | undefined;
  readonly status?: string | undefined;
  readonly substatus?: string | undefined;
  readonly currency?: string | undefined;
  readonly wallet_id?: number | undefined;
  readonly user_id?: number | undefined;
  /** The caller's or ours. */
  readonly reference?: string | undefined;
  /** A provider's id, a hash, a retrieval number. */
  readonly provider_reference?: string | undefined;
  readonly amount_from?: string | undefined;
  readonly amount_to?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
  readonly in_doubt?: boolean | undefined;
  /** Any name of it: its id, that of its thing, the caller's reference or ours, what another side calls it. */
  readonly q?: string | undefined;
}

export interface PaymentPlace {
  readonly limit: number;
  /** The payment before whose place the page begins. */
  readonly before: string | undefined;
}

export interface PaymentPage {
  readonly rows: ListedPayment[];
  /** Where the next page goes on when this one has looked through as many rows as it may. */
  readonly looked: string | undefined;
}

/** How many rows a page looks through for those that fit filters without an index of their own. */
const LOOKED_THROUGH = 1000;

/** What is open of a pending payment: a call that was made first, else the oldest call or flow. */
const AT_WORK = `left join lateral (
    select case when w.is_called then w.since end as in_doubt_since, w.stalled_at is not null as is_stalled,
      case when w.is_called then ${nextAttemptSql('array[w.job]', 'w.job_key')} end as next_attempt_at
    from (
      select e.calls > 0 as is_called, coalesce(e.called_at, e.opened_at) as since, e.stalled_at,
        'effect.' || e.kind as job, e.id as job_key
        from effects e where e.state = 'OPEN' and effect_work_id(e.kind, e.id) = p.work_id
      union all
      select false, s.updated_at, s.stalled_at, 'saga.' || s.type, s.id
        from sagas s where s.id = p.work_id and not s.finished) w
    order by w.is_called desc, w.since limit 1) d on p.status = 'PENDING'`;
const SHOWN = `p.*, d.in_doubt_since, d.next_attempt_at, d.is_stalled, d.is_stalled is not null as is_at_work`;

/** The conditions of `substatus`. */
const SUBSTATUS: Readonly<Record<string, string>> = {
  stalled: 'd.is_stalled',
  in_doubt: 'd.in_doubt_since is not null and not d.is_stalled',
  waiting_for_approval: `p.status = 'PENDING' and p.object_type = 'adjustment'`,
  waiting_for_provider: 'not d.is_stalled and d.in_doubt_since is null',
};

/** Whose payments, whose names of them, and the things that may be meant by another side's name. */
export interface PaymentReader {
  readonly scope: TenantScope;
  readonly reader: NamesReader;
  readonly sources: readonly PaymentSource[];
}

/** A condition for each value, in the places that it takes. */
class Conditions {
  readonly values: unknown[] = [];
  place(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** Newest first. A page looks through so many rows at most, so that it may be short although the list goes on. */
export async function listPayments(
  db: Db,
  of: PaymentReader,
  filters: PaymentFilters,
  { limit, before }: PaymentPlace,
): Promise<PaymentPage> {
  const known = new Conditions();
  const first = [...scoped(known, of.scope), ...indexed(known, of, filters)];
  if (before !== undefined) first.push(`p.payment_id < ${known.place(before)}::uuid`);
  const then = filtering(known, filters);
  const wanted = known.place(limit);
  const looked = then.length === 0 ? wanted : String(LOOKED_THROUGH);
  const text = `
    with looked as materialized (
      select p.* from payments p where ${first.join(' and ') || 'true'} order by p.payment_id desc limit ${looked}),
    place as (select count(*) as rows, (select payment_id from looked order by payment_id limit 1) as last from looked)
    select found.*, place.rows as looked_rows, place.last as looked_last from place left join lateral (
      select ${SHOWN} from looked p ${AT_WORK}
       where ${then.join(' and ') || 'true'} order by p.payment_id desc limit ${wanted}) found on true
     order by found.payment_id desc`;
  const rows = await run<ListedPayment & Looked>(db, text, known.values);
  const [one] = rows;
  const isCut = then.length > 0 && one !== undefined && one.looked_rows >= LOOKED_THROUGH;
  return {
    rows: rows.filter(({ payment_id }) => payment_id !== null),
    looked: isCut ? (one.looked_last ?? undefined) : undefined,
  };
}

interface Looked {
  readonly looked_rows: number;
  readonly looked_last: string | null;
}

function scoped(known: Conditions, { client_id, user_id }: TenantScope): string[] {
  return [
    ...(client_id === undefined ? [] : [`p.client_id = ${known.place(client_id)}`]),
    ...(user_id === undefined ? [] : [`p.user_id = ${known.place(user_id)}`]),
  ];
}

/** Filters that an index answers. */
function indexed(
  known: Conditions,
  { scope, reader, sources }: PaymentReader,
  filters: PaymentFilters,
): string[] {
  const { user_id, wallet_id, status, reference, provider_reference, in_doubt, substatus } =
    filters;
  const { created_from, created_to, q } = filters;
  const isPending = in_doubt || (substatus !== undefined && substatus in SUBSTATUS);
  const conditions: (string | undefined)[] = [
    user_id !== undefined ? `p.user_id = ${known.place(user_id)}` : undefined,
    wallet_id !== undefined && scope.user_id === undefined
      ? ownerOf(known.place(wallet_id))
      : undefined,
    isPending ? `p.status = 'PENDING'` : undefined,
    status !== undefined && status !== 'SUCCEEDED'
      ? `p.status = ${known.place(status)} and p.status <> 'SUCCEEDED'`
      : undefined,
    created_from !== undefined ? `p.payment_id >= ${edge(known.place(created_from))}` : undefined,
    created_to !== undefined
      ? `p.payment_id < ${edge(`${known.place(created_to)}::timestamptz + interval '1 millisecond'`)}`
      : undefined,
    reference !== undefined ? isAmong(namedBy(known, reference, reader)) : undefined,
    provider_reference !== undefined
      ? isAmong(knownAs(known, provider_reference, sources))
      : undefined,
    q !== undefined ? isAmong(calledSo(known, q, { reader, sources })) : undefined,
  ];
  return conditions.filter((one) => one !== undefined);
}

/** A wallet has one owner, by whom its payments are found. */
const ownerOf = (wallet: string): string =>
  `p.user_id = (select user_id from fiat_wallets where wallet_id = ${wallet})`;

/** The least id of that millisecond. */
const edge = (at: string): string =>
  `(lpad(to_hex(floor(extract(epoch from (${at})::timestamptz) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/** Few rows have one name, so all of them are read. */
const isAmong = (found: string): string => `p.payment_id = any (array(${found}))`;

function namedBy(known: Conditions, reference: string, reader: NamesReader): string {
  const name = known.place(reference);
  const own = reader === 'operator' ? '' : ` and n.client_id = ${known.place(reader)}`;
  return `select payment_id from payments where object_id = ${name}
    union all select payment_id from payments where our_reference = ${name} and our_reference <> object_id
    union all select o.payment_id from caller_names n
      join payments o on o.object_id = n.object_id and o.object_type = n.object_type where n.reference = ${name}${own}`;
}

/** By the indexes of the things themselves. */
function knownAs(known: Conditions, name: string, sources: readonly PaymentSource[]): string {
  const place = known.place(name);
  const found = sources.flatMap(({ view, names }) =>
    names.map((column) => `select object_type, object_id from ${view} where ${column} = ${place}`),
  );
  return `select o.payment_id from (${found.join(' union all ')}) t
    join payments o on o.object_id = t.object_id and o.object_type = t.object_type`;
}

function calledSo(
  known: Conditions,
  name: string,
  { reader, sources }: Omit<PaymentReader, 'scope'>,
): string {
  const uuid = uuidOfObjectId('pay', name);
  if (uuid !== undefined) return `select ${known.place(uuid)}::uuid`;
  return `${namedBy(known, name, reader)} union all ${knownAs(known, name, sources)}`;
}

/** Filters without an index. */
function filtering(known: Conditions, filters: PaymentFilters): string[] {
  const {
    rail,
    direction,
    currency,
    wallet_id,
    status,
    substatus,
    in_doubt,
    amount_from,
    amount_to,
  } = filters;
  const is = (column: string, value: string | undefined) =>
    value === undefined ? undefined : `p.${column} = ${known.place(value)}`;
  const amount = (rule: string, value: string | undefined) =>
    value === undefined
      ? undefined
      : `p.amount ${rule} ${known.place(value)}::numeric * 10::numeric ^ p.scale`;
  const conditions = [
    is('rail', rail),
    is('direction', direction),
    is('currency', currency),
    wallet_id === undefined ? undefined : `p.wallet_id = ${known.place(wallet_id)}`,
    status === 'SUCCEEDED' ? is('status', status) : undefined,
    substatus === undefined ? undefined : (SUBSTATUS[substatus] ?? 'false'),
    in_doubt ? 'd.in_doubt_since is not null' : undefined,
    amount('>=', amount_from),
    amount('<=', amount_to),
  ];
  return conditions.filter((one) => one !== undefined);
}

/** By its own id, that of its thing or our reference of it; of short numbers several things may have the same. */
export function findPayments(
  db: Db,
  scope: TenantScope,
  [column, value]: readonly ['payment_id' | 'object_id', string],
): Promise<ListedPayment[]> {
  const known = new Conditions();
  const own = scoped(known, scope);
  const name = known.place(value);
  const by =
    column === 'payment_id'
      ? `p.payment_id = ${name}::uuid`
      : `p.payment_id = any (array(select payment_id from payments where object_id = ${name}
          union all select payment_id from payments where our_reference = ${name} and our_reference <> object_id))`;
  return run<ListedPayment>(
    db,
    `select ${SHOWN} from payments p ${AT_WORK} where ${[by, ...own].join(' and ')} limit 2`,
    known.values,
  );
}
