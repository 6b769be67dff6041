import type { Insertable, Selectable } from 'kysely';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { columnsOf, unnested } from '#kernel/db/columns.ts';
import { type Db, now, run } from '#kernel/db/db.ts';
import { movesOf } from '#kernel/db/move.ts';
import type { Row } from '#kernel/db/row.ts';
import type { CardTransactions } from '#kernel/db/schema.generated.ts';
import type { CardNetworkMovement } from '#providers/card-network/port.ts';

export type CardKind = 'TOPUP' | 'REFUND' | 'PUSH';

export type CardTransaction = Omit<Selectable<CardTransactions>, 'type' | 'currency' | 'state'> & {
  readonly type: CardKind;
  readonly currency: Fiat;
  readonly state: 'PENDING' | 'SETTLED' | 'FAILED';
  /** The ledger account of the wallet. */
  readonly account_id: number;
};

/** Card transactions with the ledger accounts of their wallets. */
export const cardTransactions = (db: Db) =>
  db
    .selectFrom('card_transactions as t')
    .innerJoin('fiat_wallets as w', 'w.wallet_id', 't.wallet_id')
    .selectAll('t')
    .select('w.account_id');

/** A row to be stored, and the ledger account of its wallet. */
export type NewTransaction = Insertable<CardTransactions> &
  Pick<CardTransaction, 'account_id' | 'type' | 'currency' | 'flow'>;

/** Nothing when the network has its trace already: the caller takes another. */
export async function insertTransaction(
  tx: Db,
  { account_id, ...values }: NewTransaction,
): Promise<CardTransaction | undefined> {
  const row = await tx
    .insertInto('card_transactions')
    .values(values)
    .onConflict((conflict) => conflict.constraint('card_transactions_rrn').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && ({ ...row, account_id } as CardTransaction);
}

/** The service's time, read once for all rows of an update. */
const AT = '(select service_now())';

/** Rows with the accounts of their wallets, in the order of the request; nothing where there is none. */
function inOrder(
  rows: readonly CardTransaction[],
  requested: readonly { readonly reference_id: string; readonly account_id: number }[],
): (CardTransaction | undefined)[] {
  const found = new Map(rows.map((row) => [row.reference_id, row]));
  return requested.map(({ reference_id, account_id }) => {
    const row = found.get(reference_id);
    return row && { ...row, account_id };
  });
}

/** By our number, our reference or the caller's operation. */
async function findBy(
  db: Db,
  column: 't.id' | 't.reference_id' | 't.operation',
  value: string | number,
): Promise<CardTransaction | undefined> {
  const row = await cardTransactions(db).where(column, '=', value).executeTakeFirst();
  return row as CardTransaction | undefined;
}

export const findTransactionById = (db: Db, id: number) => findBy(db, 't.id', id);
export const findTransaction = (db: Db, reference: string) =>
  findBy(db, 't.reference_id', reference);
export const cardFindByOperation = (db: Db, operation: string) =>
  findBy(db, 't.operation', operation);

export async function getTransaction(db: Db, id: number): Promise<CardTransaction> {
  const row = await findTransactionById(db, id);
  if (!row) throw new Error(`There is no card transaction ${id}`);
  return row;
}

/** By our reference or the network's, within the caller's reach. */
export async function findCardByReference(
  db: Db,
  reach: TenantScope,
  reference: string,
): Promise<CardTransaction | undefined> {
  const row = await cardTransactions(db)
    .where(({ or, eb }) => or([eb('t.reference_id', '=', reference), eb('t.rrn', '=', reference)]))
    .where(({ ref }) => inTenantScope(reach, ref('t.user_id'), ref('t.client_id')))
    // Two terminals may use the same number in an hour, and one terminal again in ten years.
    .orderBy('t.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row as CardTransaction | undefined;
}

/** Settled transactions with that identifier at the network; a reversal may carry its original's. */
export async function findByIdentifier(db: Db, identifier: string): Promise<CardTransaction[]> {
  const rows = await cardTransactions(db)
    .where('t.transaction_identifier', '=', identifier)
    .where('t.state', '=', 'SETTLED')
    .orderBy('t.id')
    .limit(10)
    .execute();
  return rows as CardTransaction[];
}

/** The contract's status of a settled transaction. */
export const SETTLED_STATUS = {
  TOPUP: 'SUCCESS_RECEIVED',
  REFUND: 'REFUND_PROCESSED',
  PUSH: 'PUSH_PROCESSED',
} as const satisfies Record<CardKind, string>;

type Settlement = { readonly row: CardTransaction; readonly movement: CardNetworkMovement };

/**
 * Settles all by one statement and answers them in their order; throws when one of them is no longer pending. Locks them in
 * the order of their ids, so that processes that settle the same ones wait for each other and never deadlock.
 */
export async function markSettled(tx: Db, all: readonly Settlement[]): Promise<CardTransaction[]> {
  const rows = await run<CardTransaction>(
    tx,
    `update card_transactions t
     set state = 'SETTLED', status = s.status, transaction_identifier = s.transaction_identifier,
       approval_code = s.approval_code, transmitted_at = s.transmitted_at, updated_at = ${AT}
     from jsonb_to_recordset($1) s (id integer, status text, transaction_identifier text,
       approval_code text, transmitted_at text),
       (select id from card_transactions where id = any($2::integer[]) and state = 'PENDING'
        order by id for no key update) locked
     where t.id = s.id and t.id = locked.id and t.state = 'PENDING'
     returning t.*`,
    [
      JSON.stringify(
        all.map(({ row: { id, type }, movement }) => ({
          id,
          status: SETTLED_STATUS[type],
          ...networkReferences(movement),
        })),
      ),
      all.map(({ row }) => row.id),
    ],
  );
  const settled = inOrder(
    rows,
    all.map(({ row }) => row),
  ).filter((row) => row !== undefined);
  if (settled.length !== all.length) throw new Error('Not all card transactions were pending');
  return settled;
}

const { tryMove } = movesOf<Omit<CardTransaction, 'account_id'>>('card_transactions');

/** Nothing where it is no longer pending. `forget` lets the caller repeat the same request. */
export async function markCardFailed(
  tx: Db,
  { id, account_id }: Pick<CardTransaction, 'id' | 'account_id'>,
  {
    failure,
    forget,
    at,
  }: { readonly failure: string; readonly forget: boolean; readonly at: Date },
): Promise<CardTransaction | undefined> {
  const row = await tryMove(
    tx,
    { id, state: 'PENDING' },
    {
      state: 'FAILED',
      status: 'FAILED',
      failure,
      updated_at: at.toISOString(),
      ...(forget && { operation: null }),
    },
  );
  return row && { ...row, account_id };
}

/** Changes the status that callers see, and no money. Nothing where it is the status already. */
export async function showStatus(
  tx: Db,
  { id, account_id }: Pick<CardTransaction, 'id' | 'account_id'>,
  status: string,
): Promise<CardTransaction | undefined> {
  const row = await tx
    .updateTable('card_transactions')
    .set({ status, updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'SETTLED')
    .where('status', '<>', status)
    .returningAll()
    .executeTakeFirst();
  return row && ({ ...row, account_id } as CardTransaction);
}

/** The network's references of a movement, as columns. */
export const networkReferences = (movement: CardNetworkMovement) => ({
  transaction_identifier: movement.transactionIdentifier,
  approval_code: movement.approvalCode,
  transmitted_at: movement.transmittedAt,
});

/** The service's time, read once for all rows of an insert. */
const SERVICE_TIME = '(select at from service_time)';

/** Columns of a top-up that are known when it is stored, settled or not. */
const TOPUP = {
  operation: 'uuid',
  reference_id: 'text',
  type: 'text',
  wallet_id: 'integer',
  user_id: 'integer',
  client_id: 'integer',
  card_last4: 'text',
  card_fingerprint: 'text',
  currency: 'text',
  amount: 'numeric',
  platform_fee: 'numeric',
  net_amount: 'numeric',
  state: 'text',
  status: 'text',
  simulated: 'boolean',
  rrn: 'text',
  terminal: 'smallint',
  traced_at: 'timestamptz',
  transaction_identifier: 'text',
  approval_code: 'text',
  transmitted_at: 'text',
  flow: 'text',
} as const;
const TOPUP_COLUMNS = Object.keys(TOPUP).join();

/** Values that the database adds to a stored row. */
type Given = Pick<CardTransaction, 'id' | 'reference_id' | 'created_at' | 'updated_at'>;

/** Columns that a top-up never has. */
const UNLIKE_TOPUPS = {
  failure: null,
  original_id: null,
  original_type: null,
  original_amount: null,
  recipient_name: null,
};
/** Unknown until the network has answered. */
const UNKNOWN = { transaction_identifier: null, approval_code: null, transmitted_at: null };

/**
 * Inserts top-ups by one statement and answers them in their order: nothing for one whose trace the network has already.
 * Throws when one of them cannot be stored for another reason.
 */
export async function insertTopUps(
  tx: Db,
  all: readonly NewTransaction[],
): Promise<(CardTransaction | undefined)[]> {
  const rows = await run<Given>(
    tx,
    `insert into card_transactions (${TOPUP_COLUMNS}, created_at, updated_at)
     select ${TOPUP_COLUMNS}, ${SERVICE_TIME}, ${SERVICE_TIME} from ${unnested(TOPUP)}
     on conflict on constraint card_transactions_rrn do nothing
     returning id, reference_id, created_at, updated_at`,
    columnsOf(TOPUP, all),
  );
  const found = new Map(rows.map((row) => [row.reference_id, row]));
  return all.map((one) => {
    const row = found.get(one.reference_id);
    // The database stores each of these values as it is.
    return row && ({ ...UNLIKE_TOPUPS, ...UNKNOWN, ...one, ...row } as CardTransaction);
  });
}

type NewReturn = Pick<Row<'card_returns'>, 'transaction_id' | 'units'> & {
  readonly way: 'chargeback' | 'reversal';
};

export async function insertReturn(
  tx: Db,
  { transaction_id, way, units }: NewReturn,
): Promise<Row<'card_returns', 'id'>> {
  const [row] = await run<Row<'card_returns', 'id'>>(
    tx,
    'insert into card_returns (transaction_id, way, units) values ($1, $2, $3) returning id',
    [transaction_id, way, units],
  );
  if (!row) throw new Error('A return was not stored');
  return row;
}

/** How many returns of a transaction, or their reversals, the network has reported. */
export async function countReturns(tx: Db, transaction_id: number): Promise<number> {
  const [row] = await run<{ lines: number }>(
    tx,
    'select count(*)::integer as lines from card_returns where transaction_id = $1',
    [transaction_id],
  );
  return row?.lines ?? 0;
}
