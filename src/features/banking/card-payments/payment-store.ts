import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { type LookedRows, lookedPage } from '#kernel/db/looked-page.ts';
import type { Row } from '#kernel/db/row.ts';

export const CARD_PAYMENT_STATUSES = [
  ...(['DECLINED', 'AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REVERSED', 'EXPIRED'] as const),
  'REFUNDED',
] as const;
export type CardPaymentStatus = (typeof CARD_PAYMENT_STATUSES)[number];

/** What a card has paid, with its running sums; what follows of them is worked out by the table. */
export type CardPayment = Omit<Row<'card_payments'>, 'status' | 'currency'> & {
  readonly status: CardPaymentStatus;
  readonly currency: Fiat;
};

export const ELEMENT_TYPES = [
  ...(['authorization', 'decline', 'increment', 'reversal', 'expiration', 'settlement'] as const),
  ...(['refund_authorization', 'refund', 'validation', 'balance_inquiry', 'advice'] as const),
  ...(['chargeback', 'representment'] as const),
] as const;
export type ElementType = (typeof ELEMENT_TYPES)[number];
export type CardElement = Omit<Row<'card_elements'>, 'type'> & { readonly type: ElementType };

/** The sum that elements of a type add to. */
const SUM_OF: Readonly<Partial<Record<ElementType, SumColumn>>> = {
  authorization: 'authorized',
  advice: 'authorized',
  increment: 'incremented',
  reversal: 'reversed',
  expiration: 'expired',
  settlement: 'settled',
  refund_authorization: 'refund_authorized',
  refund: 'refunded',
};
type SumColumn =
  | ('authorized' | 'incremented' | 'reversed' | 'expired' | 'settled')
  | ('refund_authorized' | 'refunded');

const NEW = [
  ...['payment_id', 'object_id', 'card_id', 'client_id', 'user_id', 'wallet_id', 'account_id'],
  ...['currency', 'merchant_id', 'merchant_name', 'mcc', 'merchant_city', 'merchant_country'],
  ...['merchant_amount', 'merchant_currency', 'markup_bps', 'is_check', 'holds_until', 'failure'],
].join();
export type NewCardPayment = Pick<
  CardPayment,
  | ('payment_id' | 'object_id' | 'card_id' | 'client_id' | 'user_id' | 'wallet_id' | 'account_id')
  | ('currency' | 'merchant_id' | 'merchant_name' | 'mcc' | 'merchant_city' | 'merchant_country')
  | ('merchant_amount' | 'merchant_currency' | 'markup_bps' | 'is_check' | 'holds_until')
  | 'failure'
>;

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));

/** Without any element yet. The card is locked. */
export async function insertCardPayment(tx: Db, payment: NewCardPayment): Promise<CardPayment> {
  const [row] = await run<CardPayment>(
    tx,
    `insert into card_payments (${NEW}) select ${NEW} from json_populate_record(null::card_payments, $1::json)
     returning *`,
    [textOf(payment)],
  );
  if (!row) throw new Error(`${payment.object_id} was not written`);
  return row;
}

/** The payment of a card that a message names, locked; the first name that is known counts. */
export async function lockNamedPayment(
  tx: Db,
  card_id: string,
  names: readonly string[],
): Promise<CardPayment | undefined> {
  const [row] = await run<CardPayment>(
    tx,
    `select p.* from card_payments p join (
       select n.payment_id from unnest($2::text[]) with ordinality w (name, place)
         join card_payment_names n on n.card_id = $1 and n.name = w.name order by w.place limit 1) f using (payment_id)
     for no key update of p`,
    [card_id, names],
  );
  return row;
}

/** A name that another payment of the card has stays that one's. */
export async function namePayment(
  tx: Db,
  { card_id, payment_id }: Pick<CardPayment, 'card_id' | 'payment_id'>,
  names: readonly string[],
): Promise<void> {
  await run(
    tx,
    `insert into card_payment_names (card_id, name, payment_id)
     select $1, name, $3 from unnest($2::text[]) name on conflict do nothing`,
    [card_id, names, payment_id],
  );
}

export type NewCardElement = Pick<
  CardElement,
  | ('payment_id' | 'card_id' | 'type' | 'amount' | 'network_reference' | 'sequence')
  | ('transaction_token' | 'decision_id' | 'is_final' | 'at')
>;

/** Undefined where that message has counted before. */
export async function insertCardElement(
  tx: Db,
  element: NewCardElement,
): Promise<number | undefined> {
  const columns = Object.keys(element).join();
  const [row] = await run<Row<'card_elements', 'element_id'>>(
    tx,
    `insert into card_elements (${columns}) select ${columns} from json_populate_record(null::card_elements, $1::json)
     on conflict (card_id, network_reference, type, sequence) do nothing returning element_id`,
    [textOf(element)],
  );
  return row?.element_id;
}

export async function hasCardElement(
  tx: Db,
  element: Pick<CardElement, 'card_id' | 'network_reference' | 'type' | 'sequence'>,
): Promise<boolean> {
  const text = `select from card_elements where card_id = $1 and network_reference = $2 and type = $3 and sequence = $4`;
  const { card_id, network_reference, type, sequence } = element;
  return (await run(tx, text, [card_id, network_reference, type, sequence])).length > 0;
}

export interface SumChange {
  readonly type: ElementType;
  readonly amount: bigint;
  readonly closes: boolean;
  readonly flags: boolean;
  /** A hold that begins, or is made larger, lasts from now on. */
  readonly holdsUntil: string | undefined;
}

/** Adds to a sum of one that is locked; the table works out the rest. What is held is set after it (`setHolding`). */
export async function addToSum(
  tx: Db,
  { payment_id }: Pick<CardPayment, 'payment_id'>,
  { type, amount, closes, flags, holdsUntil }: SumChange,
): Promise<CardPayment> {
  const column = SUM_OF[type];
  const sum = column === undefined ? '' : `${column} = ${column} + $2::numeric, `;
  const [row] = await run<CardPayment>(
    tx,
    `update card_payments set ${sum}is_closed = is_closed or $3, is_flagged = is_flagged or $4,
       is_check = is_check or $6, holds_until = coalesce($5::timestamptz, holds_until),
       failure = case when $7 then null else failure end,
       holding = 0
     where payment_id = $1 and $2::numeric >= 0 returning *`,
    [
      ...[payment_id, amount.toString(), closes, flags, holdsUntil ?? null, type === 'validation'],
      column !== undefined,
    ],
  );
  if (!row) throw new Error(`Card payment ${payment_id} is not there`);
  return row;
}

/** What the ledger holds for it from now on. */
export async function setHolding(
  tx: Db,
  payment: CardPayment,
  holding: bigint,
): Promise<CardPayment> {
  if (payment.holding === holding) return payment;
  await run(tx, 'update card_payments set holding = $2::numeric where payment_id = $1', [
    payment.payment_id,
    holding.toString(),
  ]);
  return { ...payment, holding };
}

const REACH = `($2::integer is null or p.user_id = $2) and ($3::integer is null or p.client_id = $3)`;

/** Within reach. */
export async function findCardPayment(
  db: Db,
  { user_id, client_id }: TenantScope,
  payment_id: string,
): Promise<CardPayment | undefined> {
  const text = `select p.* from card_payments p where p.payment_id = $1 and ${REACH}`;
  return (await run<CardPayment>(db, text, [payment_id, user_id ?? null, client_id ?? null]))[0];
}

const ELEMENTS_SHOWN = 200;
/** One more than a page has. */
const PAYMENTS_MAX = 101;

/** Their elements, oldest first, so many of each: one statement for all. */
export async function cardElementsOf(
  db: Db,
  payments: readonly string[],
): Promise<ReadonlyMap<string, readonly CardElement[]>> {
  if (payments.length === 0) return new Map();
  const text = `select e.* from unnest($1::uuid[]) p (id) cross join lateral (
    select * from card_elements where payment_id = p.id order by element_id limit ${ELEMENTS_SHOWN}) e
    limit ${ELEMENTS_SHOWN * PAYMENTS_MAX}`;
  const rows = await run<CardElement>(db, text, [payments]);
  return Map.groupBy(rows, ({ payment_id }) => payment_id);
}

export interface CardPaymentFilters {
  readonly status?: string | undefined;
  readonly merchant?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

/** Of a card, newest first. */
export function listCardPayments(
  db: Db,
  card_id: string,
  { status, merchant, created_from, created_to }: CardPaymentFilters,
  place: { readonly limit: number; readonly before: number | undefined },
): Promise<LookedRows<CardPayment>> {
  return lookedPage<CardPayment>(db, {
    ...place,
    sides: ['select t.* from card_payments t where t.card_id = $2 and t.serial < $1'],
    values: [card_id],
    filters: [
      [status, (given) => `t.status = ${given}`],
      [merchant, (given) => `strpos(lower(t.merchant_name), lower(${given})) > 0`],
      [created_from, (given) => `t.created_at >= ${given}::timestamptz`],
      [created_to, (given) => `t.created_at < ${given}::timestamptz + interval '1 millisecond'`],
    ],
  });
}

/** Those whose hold is over: their cards have to be locked first. */
export const overdueHolds = (
  db: Db,
  limit: number,
): Promise<Pick<CardPayment, 'payment_id' | 'card_id'>[]> =>
  run(
    db,
    `select payment_id, card_id from card_payments where held > 0 and holds_until <= service_now()
     order by holds_until limit $1`,
    [limit],
  );

/** Locks one that is known by its id. */
export async function lockCardPayment(
  tx: Db,
  payment_id: string,
): Promise<CardPayment | undefined> {
  const text = 'select * from card_payments where payment_id = $1 for no key update';
  return (await run<CardPayment>(tx, text, [payment_id]))[0];
}

/** Whether a card has paid anything beside that payment: a card for one payment is spent then. */
export async function hasCardPaid(
  tx: Db,
  card_id: string,
  beside: string | undefined,
): Promise<boolean> {
  const text = `select from card_payments where card_id = $1 and payment_id is distinct from $2::uuid
    and status in ('AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED') and not is_check limit 1`;
  return (await run(tx, text, [card_id, beside ?? null])).length > 0;
}
