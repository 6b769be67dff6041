import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { BookWindow } from '#kernel/reconciliation/rail.ts';

/** ASKED: the gateway may have it. SENT: it has, and has set the money aside. */
export type PayoutState = 'ASKED' | 'SENT' | 'PAID' | 'FAILED' | 'RETURNED';

export type PayoutRow = Row<'payouts'> & { readonly state: PayoutState };

export type NewPayout = Pick<PayoutRow, 'reference' | 'payer' | 'client_id' | 'units' | 'asset'>;

/** Recorded in the transaction before the request to the gateway; once for a reference. */
export async function insertPayouts(tx: Db, all: readonly NewPayout[]): Promise<void> {
  const column = <C extends keyof NewPayout>(name: C) => all.map((one) => one[name]);
  const values = [column('reference'), column('payer'), column('client_id'), column('units')];
  await run(
    tx,
    `insert into payouts (reference, payer, client_id, units, asset)
     select * from unnest($1::text[], $2::text[], $3::int[], $4::numeric[], $5::text[])
     on conflict (reference) do nothing`,
    [...values, column('asset')],
  );
}

/** By our reference, or by the gateway's id. */
export async function findPayoutRow(db: Db, name: string): Promise<PayoutRow | undefined> {
  const text = `select * from payouts where reference = $1
    union all select * from payouts where gateway_id = $1 and reference <> $1 limit 1`;
  const [row] = await run<PayoutRow>(db, text, [name]);
  return row;
}

/** The states before each; only `movePaidLate` leads on from FAILED. */
const BEFORE: Readonly<Record<Exclude<PayoutState, 'ASKED'>, readonly PayoutState[]>> = {
  SENT: ['ASKED'],
  PAID: ['ASKED', 'SENT'],
  FAILED: ['ASKED', 'SENT'],
  RETURNED: ['PAID'],
};

export interface KnownPayout {
  readonly gatewayId?: string | undefined;
  readonly failure?: string | undefined;
}

/** Moves those that are in a state before it, and returns them. Only `bookPaid` moves to PAID. */
export const movePayouts = (
  tx: Db,
  references: readonly string[],
  state: Exclude<keyof typeof BEFORE, 'PAID'>,
  known?: KnownPayout,
): Promise<PayoutRow[]> => move(tx, references, state, known);

/** To PAID, for `bookPaid` alone. */
export const movePaid = (
  tx: Db,
  references: readonly string[],
  known?: KnownPayout,
): Promise<PayoutRow[]> => move(tx, references, 'PAID', known);

/** FAILED to PAID, of a locked pay-out: the gateway has paid it late. */
export const movePaidLate = (tx: Db, reference: string): Promise<PayoutRow[]> =>
  run<PayoutRow>(
    tx,
    `update payouts set state = 'PAID', failure = null, updated_at = service_now(),
       paid_at = date_trunc('milliseconds', service_now())
     where reference = $1 and state = 'FAILED' returning *`,
    [reference],
  );

const move = (
  tx: Db,
  references: readonly string[],
  state: keyof typeof BEFORE,
  { gatewayId = '', failure = '' }: KnownPayout = {},
): Promise<PayoutRow[]> =>
  run<PayoutRow>(
    tx,
    `update payouts set state = $2, updated_at = service_now(),
       gateway_id = coalesce(nullif($3, ''), gateway_id),
       failure = coalesce(nullif($4, ''), failure),
       look_at = case when $2 = 'RETURNED' then null else look_at end,
       paid_at = case when $2 = 'PAID' then date_trunc('milliseconds', service_now())
         else paid_at end
     where reference = any($1) and state = any($5) returning *`,
    [references, state, gatewayId.slice(0, 200), failure.slice(0, 200), BEFORE[state]],
  );

/** Locks a pay-out in that state: of two transactions that learn of its end, one books it. */
export async function lockPayout(
  tx: Db,
  reference: string,
  state: 'PAID' | 'FAILED',
): Promise<PayoutRow | undefined> {
  const text = 'select * from payouts where reference = $1 and state = $2 for no key update';
  const [row] = await run<PayoutRow>(tx, text, [reference, state]);
  return row;
}

/** Records a reported failure before the end is booked. False where it is booked meanwhile. */
export async function markFailureReported(tx: Db, reference: string): Promise<boolean> {
  const text = `update payouts set failed_told = true
    where reference = $1 and state in ('ASKED', 'SENT') returning reference`;
  return (await run(tx, text, [reference])).length > 0;
}

/**
 * Pay-outs that are not booked as ended, in units of IDR, by kept sums: `asked` ones the gateway may have deducted
 * from its balance, `sent` ones it has.
 */
export type PayoutTotals = Pick<Row<'payout_sums'>, 'asked' | 'sent'>;

export async function payoutTotals(db: Db): Promise<PayoutTotals> {
  const text = 'select sum(asked) as asked, sum(sent) as sent from payout_sums';
  const [row] = await run<PayoutTotals>(db, text, []);
  return { asked: row?.asked ?? 0n, sent: row?.sent ?? 0n };
}

/** Open ones in rupiah: first those that the gateway may not have, then the latest. */
export const openPayouts = (db: Db, limit: number): Promise<PayoutRow[]> =>
  run<PayoutRow>(
    db,
    `(select * from payouts where state = 'ASKED' and asset = 'IDR' order by asked_at limit $1)
     union all (select * from payouts where state = 'SENT' and asset = 'IDR' order by asked_at desc limit $1)
     limit $1`,
    [limit],
  );

/** With the cursor of a page: the time and reference of its last line. */
export type Placed = PayoutRow & { readonly place: string };

/** The ones in rupiah of one payer that were paid in a window; the next page begins after the last one's place. */
export const paidBetween = (
  db: Db,
  payer: string,
  { from, to }: BookWindow,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<Placed[]> => {
  const [at = '', ...reference] = after?.split(' ') ?? [from.toISOString()];
  return run<Placed>(
    db,
    `select *, to_char(paid_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ' '
         || reference as place
     from payouts
     where state = 'PAID' and payer = $1 and asset = 'IDR' and paid_at < $2
       and (paid_at, reference) > ($3::timestamptz, $4)
     order by paid_at, reference limit $5`,
    [payer, to.toISOString(), at, reference.join(' '), limit],
  );
};
