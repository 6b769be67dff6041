import { sql } from 'kysely';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, now, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { emitTopUp } from './events.ts';

export type TopUpStatus = 'PENDING' | 'SUCCESS_RECEIVED' | 'FAILED' | 'RETURNED';
export type TopUp = Row<'bank_top_ups'> & { readonly status: TopUpStatus };

export async function findTopUp(db: Db, top_up_id: string): Promise<TopUp | undefined> {
  const query = db.selectFrom('bank_top_ups').selectAll().where('top_up_id', '=', top_up_id);
  return (await query.executeTakeFirst()) as TopUp | undefined;
}

/** Locks it until the transaction ends. */
export async function lockTopUp(
  tx: Db,
  by: { readonly transfer_id: string } | { readonly top_up_id: string },
): Promise<TopUp | undefined> {
  const [column, name] =
    'transfer_id' in by
      ? (['transfer_id', by.transfer_id] as const)
      : (['top_up_id', by.top_up_id] as const);
  const query = tx.selectFrom('bank_top_ups').selectAll().where(column, '=', name);
  return (await query.forNoKeyUpdate().executeTakeFirst()) as TopUp | undefined;
}

/** By our id or the provider's; nothing when it is not within reach. */
export async function topUpNamed(
  db: Db,
  reach: TenantScope,
  name: string,
): Promise<TopUp | undefined> {
  const isOurs = UUID.test(name);
  const row = await db
    .selectFrom('bank_top_ups as t')
    .innerJoin('users as u', 'u.user_id', 't.user_id')
    .selectAll('t')
    .where(({ or, eb }) =>
      or([eb('t.transfer_id', '=', name), ...(isOurs ? [eb('t.top_up_id', '=', name)] : [])]),
    )
    .where(({ ref }) => inTenantScope(reach, ref('t.user_id'), ref('u.client_id')))
    .executeTakeFirst();
  return row as TopUp | undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type NewTopUp = Pick<
  TopUp,
  'top_up_id' | 'wallet_id' | 'user_id' | 'connection_id' | 'account_id' | 'amount'
> & {
  /** Mock mode settles it with the request. */
  readonly isSettled: boolean;
};

/** False when that operation has begun one before. */
export async function insertTopUp(tx: Db, { isSettled, ...values }: NewTopUp): Promise<boolean> {
  const row = await tx
    .insertInto('bank_top_ups')
    .values({
      ...values,
      simulated: isSettled,
      status: isSettled ? 'SUCCESS_RECEIVED' : 'PENDING',
      settled_at: isSettled ? now : null,
    })
    .onConflict((conflict) => conflict.column('top_up_id').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row) await emitTopUp(tx, row as TopUp);
  return row !== undefined;
}

/** Counts up to `max`. */
export async function pendingOf(db: Db, wallet_id: number, max: number): Promise<number> {
  const rows = await db
    .selectFrom('bank_top_ups')
    .select('top_up_id')
    .where('wallet_id', '=', wallet_id)
    .where('status', '=', sql.lit('PENDING'))
    .limit(max)
    .execute();
  return rows.length;
}

/** Records the provider's transfer. */
export async function nameTransfer(tx: Db, top_up_id: string, transfer_id: string): Promise<void> {
  await tx
    .updateTable('bank_top_ups')
    .set({ transfer_id, updated_at: now })
    .where('top_up_id', '=', top_up_id)
    .where('transfer_id', 'is', null)
    .execute();
}

export interface TopUpOutcome {
  readonly status: TopUpStatus;
  readonly settled_at?: string;
  readonly returned_at?: string;
  readonly failure?: string | null;
}

/** False when it is in another state by now. */
export async function moveTopUp(
  tx: Db,
  { top_up_id, status: from }: Pick<TopUp, 'top_up_id' | 'status'>,
  standing: TopUpOutcome,
): Promise<boolean> {
  const row = await tx
    .updateTable('bank_top_ups')
    .set({ ...standing, updated_at: now })
    .where('top_up_id', '=', top_up_id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst();
  if (row) await emitTopUp(tx, row as TopUp);
  return row !== undefined;
}

/** Whether a transfer may be in flight, or may still come back. */
export async function hasTransfersSince(db: Db, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('bank_top_ups')
    .select('top_up_id')
    .where(sql<boolean>`not simulated`)
    .where('created_at', '>=', since.toISOString())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A movement of money at the provider, as we have booked it. */
export interface BookedLine {
  readonly kind: 'top-up' | 'return';
  /** The provider's id of the transfer. */
  readonly reference: string;
  readonly units: bigint;
  readonly at: string;
  /** The client of the wallet's owner. */
  readonly client: number;
}

/** The end of a page. */
export type TopUpState = Pick<BookedLine, 'at' | 'reference' | 'kind'>;

/** In the order of their times; each page reads only as many rows as it has. */
export const bookedLines = (
  db: Db,
  window: { readonly from: Date; readonly to: Date },
  after: TopUpState | undefined,
  limit: number,
): Promise<BookedLine[]> =>
  run<BookedLine>(
    db,
    `select kind, reference, units, at, u.client_id as client from (
       (select 'top-up' as kind, transfer_id as reference, amount as units, settled_at as at, user_id
        from bank_top_ups
        where not simulated and settled_at is not null and settled_at < $2
          and (settled_at, transfer_id) >= ($1, $3)
        order by settled_at, transfer_id limit $5 + 1)
       union all
       (select 'return', transfer_id, -amount, returned_at, user_id
        from bank_top_ups
        where returned_at is not null and returned_at < $2 and (returned_at, transfer_id) >= ($1, $3)
        order by returned_at, transfer_id limit $5 + 1)
     ) line join users u using (user_id)
     where (at, reference, kind) > ($1, $3, $4)
     order by at, reference, kind limit $5`,
    [
      after?.at ?? window.from.toISOString(),
      window.to.toISOString(),
      after?.reference ?? '',
      after?.kind ?? '',
      limit,
    ],
  );
