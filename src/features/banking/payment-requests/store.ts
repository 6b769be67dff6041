import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { type LookedRows, lookedPage } from '#kernel/db/looked-page.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';
import { NAMELESS, namesOf, type ObjectNames } from '#kernel/object-names/object-names.ts';
import { referenceRule } from '#kernel/object-names/reference-rule.ts';

export const PAYMENT_REQUEST_STATUSES = [
  'OPEN',
  'ACCEPTED',
  'DECLINED',
  'CANCELLED',
  'EXPIRED',
] as const;
type PaymentRequestStatus = (typeof PAYMENT_REQUEST_STATUSES)[number];

type RequestRow = Omit<Row<'payment_requests'>, 'status' | 'currency'> & {
  readonly status: PaymentRequestStatus;
  readonly currency: Fiat;
};
/** A request with its people and what its caller calls it. */
export type MoneyRequest = RequestRow & {
  readonly from_name: string;
  /** Null while it is for an address. */
  readonly to_name: string | null;
  readonly names: ObjectNames;
};

export type NewPaymentRequest = Pick<
  RequestRow,
  | ('request_id' | 'object_id' | 'operation' | 'client_id' | 'user_id' | 'wallet_id' | 'currency')
  | ('amount' | 'note' | 'named_as' | 'to_user_id' | 'to_address' | 'expires_at')
>;
const NEW = [
  ...['request_id', 'object_id', 'operation', 'client_id', 'user_id', 'wallet_id', 'currency'],
  ...['amount', 'note', 'named_as', 'to_user_id', 'to_address', 'expires_at'],
].join();

/** Undefined where the same request has made it before. */
export async function insertPaymentRequest(
  tx: Db,
  { amount, ...request }: NewPaymentRequest,
): Promise<MoneyRequest | undefined> {
  const rows = await run<RequestRow>(
    tx,
    `insert into payment_requests (${NEW}, status, status_times)
     select ${NEW}, 'OPEN', ${firstStatusTimes('OPEN')} from json_populate_record(null::payment_requests, $1::json)
     on conflict (operation) do nothing returning *`,
    [JSON.stringify({ ...request, amount: amount.toString() })],
  );
  return (await withNames(tx, rows))[0];
}

async function withNames(db: Db, rows: readonly RequestRow[]): Promise<MoneyRequest[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ object_id }) => object_id);
  const names = await namesOf(db, 'payment_request', ids, 'operator');
  const people = await run<Row<'users', 'user_id' | 'username'>>(
    db,
    'select user_id, username from users where user_id = any($1::integer[])',
    [rows.flatMap(({ user_id, to_user_id }) => [user_id, to_user_id ?? user_id])],
  );
  const nameOf = new Map(people.map(({ user_id, username }) => [user_id, username]));
  return rows.map((row) => ({
    ...row,
    from_name: nameOf.get(row.user_id) ?? '',
    to_name: row.to_user_id === null ? null : (nameOf.get(row.to_user_id) ?? ''),
    names: names.get(row.object_id) ?? NAMELESS,
  }));
}

const moves = stateMovesOf<RequestRow>('payment_requests');

/** Ends one that is locked and open. */
export async function endPaymentRequest(
  tx: Db,
  request: MoneyRequest,
  status: Exclude<PaymentRequestStatus, 'OPEN'>,
  changes: Partial<Pick<RequestRow, 'to_user_id' | 'transfer_id'>> = {},
): Promise<MoneyRequest> {
  const { request_id } = request;
  const row = await moves.tryMove(tx, { request_id, status: 'OPEN' }, status, changes);
  const [ended] = row ? await withNames(tx, [row]) : [];
  if (!ended) throw new Error(`Request ${request.object_id} is not open`);
  return ended;
}

const one = async (db: Db, text: string, values: readonly unknown[]) =>
  (await withNames(db, await run<RequestRow>(db, text, values)))[0];

export const requestOfOperation = (db: Db, operation: string): Promise<MoneyRequest | undefined> =>
  one(db, 'select * from payment_requests where operation = $1', [operation]);

/** Addresses by which that user may be asked: a confirmed e-mail address, and the number of the profile. */
const addressesOf = (user: string): string => `array(
  select lower(email) from users where user_id = ${user} and confirmed_at is not null
  union all select phone from users where user_id = ${user} and phone is not null)`;

/** A user sees what they ask for and what they are asked for, an admin what the client's people ask for. */
interface RequestReach {
  readonly client_id?: number;
  readonly user_id?: number;
}

const REACHED = `r.request_id = $1 and ($2::integer is null or r.client_id = $2)
  and ($3::integer is null or r.user_id = $3 or r.to_user_id = $3 or r.to_user_id is null
    and r.client_id = (select client_id from users where user_id = $3) and r.to_address = any(${addressesOf('$3')}))`;
const reached = (request_id: string, { client_id, user_id }: RequestReach) => [
  ...[request_id, client_id ?? null, user_id ?? null],
];

/** Of either side. */
export const findPaymentRequest = (
  db: Db,
  reach: RequestReach,
  request_id: string,
): Promise<MoneyRequest | undefined> =>
  one(db, `select r.* from payment_requests r where ${REACHED}`, reached(request_id, reach));

/** The same, locked until the transaction ends: answers to it wait for one another. */
export const lockPaymentRequest = (
  tx: Db,
  reach: RequestReach,
  request_id: string,
): Promise<MoneyRequest | undefined> =>
  one(
    tx,
    `select r.* from payment_requests r where ${REACHED} for no key update`,
    reached(request_id, reach),
  );

/** Locks those that are answered no more, up to the limit. */
export async function unansweredRequests(tx: Db, limit: number): Promise<MoneyRequest[]> {
  const rows = await run<RequestRow>(
    tx,
    `select * from payment_requests where status = 'OPEN' and expires_at <= service_now()
      order by expires_at limit $1 for no key update skip locked`,
    [limit],
  );
  return withNames(tx, rows);
}

/** Whether the user has asked that address before. */
export async function hasAsked(db: Db, user_id: number, address: string): Promise<boolean> {
  const text =
    'select from payment_requests where to_address = $2 and to_user_id is null and user_id = $1 limit 1';
  return (await run(db, text, [user_id, address])).length > 0;
}

export interface RequestFilters {
  readonly side?: 'sent' | 'received' | undefined;
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

const SENT = 'select t.* from payment_requests t where t.user_id = $2 and t.serial < $1';
const ASKED = 'select t.* from payment_requests t where t.to_user_id = $2 and t.serial < $1';
const ADDRESSED = `select t.* from payment_requests t where t.to_user_id is null and t.user_id <> $2
  and t.client_id = (select client_id from users where user_id = $2)
  and t.to_address = any(${addressesOf('$2')}) and t.serial < $1`;
const SIDES = {
  sent: [SENT],
  received: [ASKED, ADDRESSED],
  both: [SENT, ASKED, ADDRESSED],
} as const;

/** What a user has asked for or is asked for, newest first. */
export async function listPaymentRequests(
  db: Db,
  user_id: number,
  { side, status, reference, created_from, created_to }: RequestFilters,
  place: { readonly limit: number; readonly before: number | undefined },
): Promise<LookedRows<MoneyRequest>> {
  const { rows, looked } = await lookedPage<RequestRow>(db, {
    ...place,
    sides: SIDES[side ?? 'both'],
    values: [user_id],
    filters: [
      [status, (given) => `t.status = ${given}`],
      [reference, referenceRule('payment_request')],
      [created_from, (given) => `t.created_at >= ${given}::timestamptz`],
      [created_to, (given) => `t.created_at < ${given}::timestamptz + interval '1 millisecond'`],
    ],
  });
  return { rows: await withNames(db, rows), looked };
}
