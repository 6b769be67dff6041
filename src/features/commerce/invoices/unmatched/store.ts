import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';

export const INVOICE_UNMATCHED_STATUSES = [
  ...(['OPEN', 'ASSIGNED', 'REFUNDING', 'REFUNDED', 'WRITTEN_OFF'] as const),
] as const;
export const INVOICE_UNMATCHED_REASONS = ['LATE', 'UNDERPAID', 'OVERPAID', 'DUPLICATE'] as const;
export type InvoiceUnmatchedReason = (typeof INVOICE_UNMATCHED_REASONS)[number];

type StrayRow = Omit<Row<'invoice_unmatched'>, 'status' | 'currency' | 'reason'> & {
  readonly status: (typeof INVOICE_UNMATCHED_STATUSES)[number];
  readonly currency: Fiat;
  readonly reason: InvoiceUnmatchedReason;
};

/** Money that has come in and pays no invoice. */
export type UnmatchedMoney = StrayRow & {
  /** The invoice that it was meant for, its payment, and what it was assigned to, as callers name them. */
  readonly invoice: string;
  readonly payment: string;
  readonly assigned_to: string | null;
  readonly method: string;
};

export type NewUnmatchedMoney = Pick<
  UnmatchedMoney,
  | ('unmatched_id' | 'object_id' | 'client_id' | 'user_id' | 'invoice_id' | 'payment_id')
  | ('receipt' | 'currency' | 'amount' | 'reason')
>;

const NEW = [
  ...['unmatched_id', 'object_id', 'client_id', 'user_id', 'invoice_id', 'payment_id'],
  ...['receipt', 'currency', 'amount', 'reason'],
].join();
const SHOWN = `u.*, (select object_id from invoices i where i.invoice_id = u.invoice_id) as invoice,
  (select object_id from invoice_payments p where p.payment_id = u.payment_id) as payment,
  (select method from invoice_payments p where p.payment_id = u.payment_id) as method,
  (select object_id from invoices i where i.invoice_id = u.assigned_invoice_id) as assigned_to`;

/** Undefined where that receipt is known. */
export async function insertUnmatchedMoney(
  tx: Db,
  stray: NewUnmatchedMoney,
): Promise<UnmatchedMoney | undefined> {
  const [row] = await run<UnmatchedMoney>(
    tx,
    `insert into invoice_unmatched as u (${NEW}, owed, status, status_times)
     select ${NEW}, amount, 'OPEN', ${firstStatusTimes('OPEN')}
       from json_populate_record(null::invoice_unmatched, $1::json)
     on conflict (payment_id, receipt) do nothing returning ${SHOWN}`,
    [JSON.stringify({ ...stray, amount: stray.amount.toString() })],
  );
  return row;
}

const moves = stateMovesOf<StrayRow>('invoice_unmatched');
type Changes = Parameters<typeof moves.tryEdit>[2];

interface Move {
  readonly from: UnmatchedMoney['status'];
  readonly to: UnmatchedMoney['status'];
}

/** Moves one that is in that status. */
export async function moveUnmatchedMoney(
  tx: Db,
  { unmatched_id }: Pick<UnmatchedMoney, 'unmatched_id'>,
  { from, to }: Move,
  changes: Changes,
): Promise<UnmatchedMoney> {
  const row = await moves.tryMove(tx, { unmatched_id, status: from }, to, changes);
  const found = row && (await findUnmatchedMoney(tx, {}, unmatched_id));
  if (!found) throw new Error(`${unmatched_id} is not ${from}`);
  return found;
}

/** Ends one that is open. */
export const endUnmatchedMoney = (
  tx: Db,
  stray: Pick<UnmatchedMoney, 'unmatched_id'>,
  to: Exclude<UnmatchedMoney['status'], 'OPEN'>,
  changes: Changes,
): Promise<UnmatchedMoney> => moveUnmatchedMoney(tx, stray, { from: 'OPEN', to }, changes);

/** A part of it is owed no more. */
export async function editUnmatchedMoney(
  tx: Db,
  { unmatched_id }: Pick<UnmatchedMoney, 'unmatched_id'>,
  changes: Changes,
): Promise<UnmatchedMoney> {
  const row = await moves.tryEdit(tx, { unmatched_id, status: 'OPEN' }, changes);
  const found = row && (await findUnmatchedMoney(tx, {}, unmatched_id));
  if (!found) throw new Error(`${unmatched_id} is not open`);
  return found;
}

const findOne = async (
  db: Db,
  { client_id }: TenantScope,
  unmatched_id: string,
  lock = '',
): Promise<UnmatchedMoney | undefined> => {
  const text = `select ${SHOWN} from invoice_unmatched u
    where u.unmatched_id = $1 and ($2::integer is null or u.client_id = $2) ${lock}`;
  return (await run<UnmatchedMoney>(db, text, [unmatched_id, client_id ?? null]))[0];
};

export const findUnmatchedMoney = (
  db: Db,
  scope: TenantScope,
  unmatched_id: string,
): Promise<UnmatchedMoney | undefined> => findOne(db, scope, unmatched_id);

/** Locks it until the transaction ends. */
export const lockUnmatchedMoney = (
  tx: Db,
  scope: TenantScope,
  unmatched_id: string,
): Promise<UnmatchedMoney | undefined> =>
  findOne(tx, scope, unmatched_id, 'for no key update of u');

/** What of a payment is open or given up, the earliest first; locked until the transaction ends. */
export const lockUnmatchedOfPayment = (tx: Db, payment_id: string): Promise<UnmatchedMoney[]> =>
  run(
    tx,
    `select ${SHOWN} from invoice_unmatched u
     where u.payment_id = $1 and u.status in ('OPEN', 'WRITTEN_OFF') order by u.serial for no key update of u`,
    [payment_id],
  );

interface Wanted {
  readonly limit: number;
  readonly before: number | undefined;
}

/** Newest first. */
export function listUnmatchedMoney(
  db: Db,
  { client_id }: TenantScope,
  status: string | undefined,
  { limit, before }: Wanted,
): Promise<UnmatchedMoney[]> {
  const filters = Object.entries({ client_id, status }).filter(([, value]) => value !== undefined);
  const values = [before ?? Number.MAX_SAFE_INTEGER, limit, ...filters.map(([, value]) => value)];
  const where = ['u.serial < $1', ...filters.map(([name], n) => `u.${name} = $${n + 3}`)];
  const text = `select ${SHOWN} from invoice_unmatched u where ${where.join(' and ')}
    order by u.serial desc limit $2`;
  return run(db, text, values);
}

/** How many are open, by reason. */
export const countUnmatchedMoney = (
  db: Db,
): Promise<{ readonly reason: string; readonly open: number }[]> =>
  run(
    db,
    `select reason, count(*)::integer as open from (
       select reason from invoice_unmatched where status = 'OPEN' limit 10000) owed
     group by reason order by reason`,
    [],
  );
