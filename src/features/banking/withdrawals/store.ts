import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes, stateMovesOf } from '#kernel/db/state-moves.ts';
import type { Money } from '#kernel/money/money.ts';
import { referenceRule } from '#kernel/object-names/reference-rule.ts';

export const WITHDRAWAL_STATUSES = [
  ...(['PENDING_APPROVAL', 'PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const),
  ...(['CANCELLED', 'RETURNED'] as const),
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** Money from a wallet to a bank, or to another wallet of the client. */
export type BankWithdrawal = Omit<
  Row<'withdrawals'>,
  'currency' | 'received_currency' | 'status'
> & {
  readonly currency: Fiat;
  /** What the bank pays by a quote; null where it is what leaves the wallet. */
  readonly received_currency: Fiat | null;
  readonly status: WithdrawalStatus;
};

export type NewWithdrawal = Pick<
  BankWithdrawal,
  | ('withdrawal_id' | 'our_reference' | 'operation' | 'client_id' | 'user_id' | 'wallet_id')
  | ('account_id' | 'recipient_id' | 'fingerprint' | 'sealed_payee' | 'payee_name' | 'payee_detail')
  | ('rail' | 'currency' | 'amount' | 'fee' | 'fee_terms' | 'note' | 'execute_at' | 'held_until')
  | ('due_at' | 'status' | 'quote_id' | 'received_currency' | 'received_amount')
  | ('made_by' | 'to_wallet_id')
>;

const COLUMNS = [
  ...['withdrawal_id', 'our_reference', 'operation', 'client_id', 'user_id', 'wallet_id'],
  ...['account_id', 'recipient_id', 'fingerprint', 'sealed_payee', 'payee_name', 'payee_detail'],
  ...['rail', 'currency', 'amount', 'fee', 'fee_terms', 'note', 'execute_at', 'held_until'],
  ...['due_at', 'status', 'quote_id', 'received_currency', 'received_amount'],
  ...['made_by', 'to_wallet_id'],
] as const satisfies readonly (keyof NewWithdrawal)[];

export async function insertWithdrawal(tx: Db, one: NewWithdrawal): Promise<BankWithdrawal> {
  const [row] = await run<BankWithdrawal>(
    tx,
    `insert into withdrawals (${COLUMNS.join()}, status_times)
     values (${COLUMNS.map((_, at) => `$${at + 1}`).join()}, ${firstStatusTimes(one.status)}) returning *`,
    COLUMNS.map((column) => one[column]),
  );
  if (!row) throw new Error(`${one.our_reference} was not written`);
  return row;
}

const { tryMove, tryEdit } = stateMovesOf<BankWithdrawal>('withdrawals');
export const moveWithdrawal = tryMove;
export const editWithdrawal = tryEdit;

type Key = Partial<Pick<BankWithdrawal, 'our_reference' | 'operation'>>;

/** What the bank pays. */
export const receivedOf = ({
  currency,
  amount,
  received_currency,
  received_amount,
}: Pick<
  BankWithdrawal,
  'currency' | 'amount' | 'received_currency' | 'received_amount'
>): Money<Fiat> => ({
  asset: received_currency ?? currency,
  units: received_amount ?? amount,
});

/** By its reference, or by the operation of its request. */
export async function readWithdrawal(
  db: Db,
  { our_reference, operation }: Key,
): Promise<BankWithdrawal | undefined> {
  const column = our_reference === undefined ? 'operation' : 'our_reference';
  const text = `select * from withdrawals where ${column} = $1`;
  return (await run<BankWithdrawal>(db, text, [our_reference ?? operation]))[0];
}

export async function requireWithdrawal(db: Db, our_reference: string): Promise<BankWithdrawal> {
  const row = await readWithdrawal(db, { our_reference });
  if (!row) throw new Error(`There is no withdrawal ${our_reference}`);
  return row;
}

/** Nothing where that wallet, within the caller's reach, has none of that id. */
export async function withdrawalInScope(
  db: Db,
  { client_id, user_id }: TenantScope,
  { wallet_id, our_reference }: Pick<BankWithdrawal, 'wallet_id' | 'our_reference'>,
): Promise<BankWithdrawal | undefined> {
  const text = `select * from withdrawals where our_reference = $1 and wallet_id = $2
    and ($3::integer is null or client_id = $3) and ($4::integer is null or user_id = $4)`;
  const values = [our_reference, wallet_id, client_id ?? null, user_id ?? null];
  return (await run<BankWithdrawal>(db, text, values))[0];
}

/** Locks one until the transaction ends. */
export async function lockWithdrawal(
  tx: Db,
  our_reference: string,
): Promise<BankWithdrawal | undefined> {
  const text = 'select * from withdrawals where our_reference = $1 for no key update';
  return (await run<BankWithdrawal>(tx, text, [our_reference]))[0];
}

/** Those that are due, a batch: each is begun in a transaction of its own. */
export async function dueWithdrawals(db: Db, limit: number): Promise<string[]> {
  const text = `select our_reference from withdrawals where status = 'PENDING' and due_at <= service_now()
    order by due_at limit $1`;
  const rows = await run<Pick<BankWithdrawal, 'our_reference'>>(db, text, [limit]);
  return rows.map(({ our_reference }) => our_reference);
}

/** Whether a recipient is named by one that has not ended. */
export async function isRecipientInUse(tx: Db, recipient_id: string): Promise<boolean> {
  const text = `select from withdrawals where recipient_id = $1
    and status in ('PENDING_APPROVAL', 'PENDING', 'PROCESSING') limit 1`;
  return (await run(tx, text, [recipient_id])).length > 0;
}

export interface WithdrawalFilters {
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

interface Place {
  readonly limit: number;
  readonly before: number | undefined;
}

type Listed = BankWithdrawal & {
  readonly looked_rows: string;
  readonly looked_last: string | null;
};

const LOOKED_THROUGH = 1000;

/** Of a wallet, newest first. A page looks through so many rows at most, and says how far it has looked. */
export async function pageOfWithdrawals(
  db: Db,
  wallet_id: number,
  { status, reference, created_from, created_to }: WithdrawalFilters,
  { limit, before }: Place,
): Promise<{ readonly rows: BankWithdrawal[]; readonly looked: number | undefined }> {
  const values = [wallet_id, before ?? null, limit, status ?? null, reference ?? null];
  const found = await run<Listed>(
    db,
    `with looked as materialized (
       select * from withdrawals where wallet_id = $1 and serial < coalesce($2::bigint, 9223372036854775807)
       order by serial desc limit ${LOOKED_THROUGH}),
     place as (select count(*) as rows, min(serial) as last from looked)
     select found.*, place.rows as looked_rows, place.last as looked_last from place left join lateral (
       select t.* from (select l.*, l.our_reference as object_id from looked l) t
       where ($4::text is null or t.status = $4)
         and ($5::text is null or t.our_reference = $5 or ${referenceRule('payout')('$5')})
         and ($6::timestamptz is null or t.created_at >= $6)
         and ($7::timestamptz is null or t.created_at < $7::timestamptz + interval '1 millisecond')
       order by t.serial desc limit $3) found on true`,
    [...values, created_from ?? null, created_to ?? null],
  );
  const [first] = found;
  const isCut = Number(first?.looked_rows) === LOOKED_THROUGH;
  return {
    rows: found.filter(({ serial }) => serial !== null),
    looked: isCut ? Number(first?.looked_last) : undefined,
  };
}
