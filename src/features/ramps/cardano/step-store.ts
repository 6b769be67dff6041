import { type Db, run } from '#kernel/db/db.ts';
import { type KeysetList, type KeysetRequest, pageOfKeysetList } from '#kernel/db/keyset-list.ts';
import type { Row } from '#kernel/db/row.ts';
import type { CardanoOrder } from './store.ts';

export type CardanoStep =
  | 'CARD_IN'
  | 'WALLET_OUT'
  | 'MINT'
  | 'BURN'
  | 'WALLET_IN'
  | 'BANK_OUT'
  | 'RETURN';
export const STEP_STATUSES = ['SUCCESS_RECEIVED', 'PENDING', 'FAILED'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

interface NewStep {
  readonly step: CardanoStep;
  readonly tx_hash?: string;
  readonly status?: StepStatus;
}

/** Lines of the history, in the transaction that takes the steps. */
export function insertSteps(
  tx: Db,
  { order_id, user_id }: Pick<CardanoOrder, 'order_id' | 'user_id'>,
  steps: readonly NewStep[],
): Promise<unknown> {
  const names = steps.map(({ step }) => step);
  const hashes = steps.map(({ tx_hash }) => tx_hash ?? null);
  const statuses = steps.map(({ status }) => status ?? 'SUCCESS_RECEIVED');
  const text = `insert into cardano_steps (order_id, user_id, step, tx_hash, status)
    select $1, $2, * from unnest($3::text[], $4::text[], $5::text[])`;
  return run(tx, text, [order_id, user_id, names, hashes, statuses]);
}

/** The bank has returned a payout that had arrived. */
export const failBankStep = (tx: Db, order_id: string): Promise<unknown> =>
  run(
    tx,
    `update cardano_steps set status = 'FAILED', updated_at = service_now()
     where order_id = $1 and step = 'BANK_OUT' and status = 'SUCCESS_RECEIVED'`,
    [order_id],
  );

/** Ends a pending step. */
export const endStep = (
  tx: Db,
  order_id: string,
  step: CardanoStep,
  status: StepStatus,
): Promise<unknown> =>
  run(
    tx,
    `update cardano_steps set status = $3, updated_at = service_now()
     where order_id = $1 and step = $2 and status = 'PENDING'`,
    [order_id, step, status],
  );

export type HistoryRow = Omit<Row<'cardano_steps'>, 'step' | 'status'> & {
  readonly step: CardanoStep;
  readonly status: StepStatus;
  readonly order: CardanoOrder;
};

const HISTORY: KeysetList = { table: 'cardano_steps', number: 'step_id' };
/** A name of an order: its id, or a reference that ends with it. */
const ORDER = /^(?:CARDANO(?:-IN|-OUT)?-)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

function knownBy(reference: string): readonly [string, string] {
  const [, order_id] = ORDER.exec(reference) ?? [];
  return order_id === undefined ? ['tx_hash', reference.toLowerCase()] : ['order_id', order_id];
}

/** Newest first; `reference` is an order's, or the hash of a transaction. */
export async function historyOf(
  db: Db,
  user_id: number,
  {
    reference,
    ...wish
  }: Omit<KeysetRequest, 'known'> & { readonly reference?: string | undefined },
): Promise<HistoryRow[]> {
  const steps = await pageOfKeysetList<Omit<HistoryRow, 'order'>>(db, HISTORY, user_id, {
    ...wish,
    ...(reference !== undefined && { known: knownBy(reference) }),
  });
  const ids = [...new Set(steps.map(({ order_id }) => order_id))];
  const orders = await run<CardanoOrder>(
    db,
    'select * from cardano_orders where order_id = any($1)',
    [ids],
  );
  const byId = new Map(orders.map((order) => [order.order_id, order]));
  return steps.flatMap((step) => {
    const order = byId.get(step.order_id);
    return order ? [{ ...step, order }] : [];
  });
}

/** Adds the minted USDC of an order to the user's day (UTC). */
export const addVolume = (tx: Db, { user_id, usdc }: CardanoOrder): Promise<unknown> =>
  run(
    tx,
    `insert into cardano_volumes (user_id, day, units)
     values ($1, (service_now() at time zone 'UTC')::date, $2)
     on conflict (user_id, day) do update set units = cardano_volumes.units + excluded.units`,
    [user_id, usdc],
  );

/** Each of so many days up to that one, in their order, with 0 for a day without a mint. */
export const volumesOf = (
  db: Db,
  user_id: number,
  { until, days }: { readonly until: string; readonly days: number },
): Promise<{ readonly date: string; readonly units: bigint }[]> =>
  run(
    db,
    `select to_char(d.day, 'YYYY-MM-DD') as date, coalesce(v.units, 0) as units
     from generate_series($2::date - ($3::integer - 1), $2::date, interval '1 day') d (day)
     left join (
       -- Found in one walk of the index, not day by day.
       select day, units from cardano_volumes
       where user_id = $1 and day between $2::date - ($3::integer - 1) and $2::date
     ) v on v.day = d.day::date
     order by d.day`,
    [user_id, until, days],
  );
