import { type Insertable, type Selectable, sql } from 'kysely';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, now, run } from '#kernel/db/db.ts';
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

const transactions = (db: Db) =>
  db
    .selectFrom('card_transactions as t')
    .innerJoin('fiat_wallets as w', 'w.wallet_id', 't.wallet_id')
    .selectAll('t')
    .select('w.account_id');

/** A row to be stored, and the ledger account of its wallet. */
export type NewTransaction = Insertable<CardTransactions> &
  Pick<CardTransaction, 'account_id' | 'type' | 'currency' | 'flow'>;

/** Nothing when its network name is taken: another one has to be found. */
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

/** The service's time, asked for once for all rows of a statement. */
const AT = '(select service_now())';

/** With the accounts of their wallets, in the order they were asked for; nothing where there is none. */
function inOrder(
  rows: readonly CardTransaction[],
  asked: readonly { readonly reference_id: string; readonly account_id: number }[],
): (CardTransaction | undefined)[] {
  const found = new Map(rows.map((row) => [row.reference_id, row]));
  return asked.map(({ reference_id, account_id }) => {
    const row = found.get(reference_id);
    return row && { ...row, account_id };
  });
}

/** By our number; nothing where there is none. */
export async function findTransactionById(
  db: Db,
  id: number,
): Promise<CardTransaction | undefined> {
  const row = await transactions(db).where('t.id', '=', id).executeTakeFirst();
  return row as CardTransaction | undefined;
}

export async function getTransaction(db: Db, id: number): Promise<CardTransaction> {
  const row = await findTransactionById(db, id);
  if (!row) throw new Error(`There is no card transaction ${id}`);
  return row;
}

/** By our reference, whoever asks. */
export async function findTransaction(
  db: Db,
  reference: string,
): Promise<CardTransaction | undefined> {
  const row = await transactions(db).where('t.reference_id', '=', reference).executeTakeFirst();
  return row as CardTransaction | undefined;
}

/** What a flow has pulled, or has tried to: the last of them. */
export async function findOfFlow(db: Db, flow: string): Promise<CardTransaction | undefined> {
  const row = await transactions(db)
    .where('t.flow', '=', flow)
    .orderBy('t.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row as CardTransaction | undefined;
}

export async function cardFindByOperation(
  db: Db,
  operation: string,
): Promise<CardTransaction | undefined> {
  const row = await transactions(db).where('t.operation', '=', operation).executeTakeFirst();
  return row as CardTransaction | undefined;
}

/** By our reference or the network's; nothing when it is not within reach. */
export async function findCardByReference(
  db: Db,
  reach: TenantScope,
  reference: string,
): Promise<CardTransaction | undefined> {
  const row = await transactions(db)
    .where(({ or, eb }) => or([eb('t.reference_id', '=', reference), eb('t.rrn', '=', reference)]))
    .where(({ ref }) => inTenantScope(reach, ref('t.user_id'), ref('t.client_id')))
    // Two terminals may have given the same number in an hour, and in ten years' time one may again.
    .orderBy('t.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row as CardTransaction | undefined;
}

/** The settled ones that the network calls by that name; a reversal may carry its original's. */
export async function findByIdentifier(db: Db, identifier: string): Promise<CardTransaction[]> {
  const rows = await transactions(db)
    .where('t.transaction_identifier', '=', identifier)
    .where('t.state', '=', 'SETTLED')
    .orderBy('t.id')
    .limit(10)
    .execute();
  return rows as CardTransaction[];
}

export interface HistoryPage {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
  readonly reference?: string | undefined;
}

/** Newest first, before a given one. */
export async function listByWallet(
  db: Db,
  wallet_id: number,
  { limit, before, created_from, created_to, reference }: HistoryPage,
): Promise<CardTransaction[]> {
  const known = reference ?? '';
  const rows = await transactions(db)
    .where('t.wallet_id', '=', wallet_id)
    .$if(before !== undefined, (q) => q.where('t.id', '<', before ?? 0))
    .$if(created_from !== undefined, (q) =>
      q
        .where('t.id', '>=', firstSince(created_from, -SLACK_MS))
        .where('t.created_at', '>=', created_from ?? ''),
    )
    .$if(created_to !== undefined, (q) =>
      q
        .where('t.id', '<', firstSince(created_to, SLACK_MS))
        .where(
          't.created_at',
          '<',
          sql<string>`${created_to}::timestamptz + interval '1 millisecond'`,
        ),
    )
    .$if(reference !== undefined, (q) =>
      q.where((t) => t.or([t('t.reference_id', '=', known), t('t.rrn', '=', known)])),
    )
    .orderBy('t.id', 'desc')
    .limit(limit)
    .execute();
  return rows as CardTransaction[];
}

/**
 * Transactions of all wallets share their numbers, so that those that are made at once have numbers in another order
 * than times. No transaction waits longer between the two.
 */
const SLACK_MS = 60_000;

/** The id of the first transaction of that time, so many milliseconds later, or after it. */
const firstSince = (at: string | undefined, more: number) =>
  sql<number>`card_transactions_since(${at}::timestamptz + ${more} * interval '1 millisecond')`;

/** What has the status is looked for among so many rows at once. */
const LOOKED_THROUGH = 1000;

/**
 * Of a wallet's transactions those with that status, among the next few of them; and where to go on, as long as
 * there are more to look through. A page may be short, or empty, and the list go on.
 */
export async function listByStatus(
  db: Db,
  wallet_id: number,
  status: string,
  page: HistoryPage,
): Promise<{ rows: CardTransaction[]; next_before: number | null }> {
  const looked = await listByWallet(db, wallet_id, { ...page, limit: LOOKED_THROUGH });
  const found = looked.filter((row) => row.status === status);
  const rows = found.slice(0, page.limit);
  if (found.length > rows.length) return { rows, next_before: rows.at(-1)?.id ?? null };
  const isCut = looked.length === LOOKED_THROUGH;
  return { rows, next_before: isCut ? (looked.at(-1)?.id ?? null) : null };
}

/** What the statuses of the contract say once the money has moved. */
export const SETTLED_STATUS = {
  TOPUP: 'SUCCESS_RECEIVED',
  REFUND: 'REFUND_PROCESSED',
  PUSH: 'PUSH_PROCESSED',
} as const satisfies Record<CardKind, string>;

export interface Settlement {
  readonly row: CardTransaction;
  readonly movement: CardNetworkMovement;
}

/**
 * All in one statement, answered in their order; throws when one of them was not pending any more. Locked in the order of
 * their ids, so that processes that settle the same ones wait for each other and never deadlock.
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
  if (settled.length !== all.length) throw new Error('Not all of them were pending');
  return settled;
}

/** Nothing when it was not pending any more. `forget` lets the same request be tried anew. */
export async function markCardFailed(
  tx: Db,
  { id, account_id }: Pick<CardTransaction, 'id' | 'account_id'>,
  { failure, forget }: { readonly failure: string; readonly forget: boolean },
): Promise<CardTransaction | undefined> {
  const row = await tx
    .updateTable('card_transactions')
    .set({
      state: 'FAILED',
      status: 'FAILED',
      failure,
      updated_at: now,
      ...(forget ? { operation: null } : {}),
    })
    .where('id', '=', id)
    .where('state', '=', 'PENDING')
    .returningAll()
    .executeTakeFirst();
  return row && ({ ...row, account_id } as CardTransaction);
}

/** What callers are shown changes; where the money is does not. Nothing where it is no change. */
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

/** How the network names what it did, as the columns. */
export const networkReferences = (movement: CardNetworkMovement) => ({
  transaction_identifier: movement.transactionIdentifier,
  approval_code: movement.approvalCode,
  transmitted_at: movement.transmittedAt,
});
