import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, now } from '#kernel/db/db.ts';
import { type KeysetList, type KeysetRequest, pageOfKeysetList } from '#kernel/db/keyset-list.ts';
import type { Row } from '#kernel/db/row.ts';

/** One on- or off-ramp, as the contract shows it; `units` are millionths of a USDC. */
export type XrplRecord = Row<'xrpl_transactions'>;
export type TxType = 'ONRAMP' | 'OFFRAMP' | 'OFFRAMP_FIAT';

/** Undefined when the operation was begun before. */
export async function insertRecord(
  tx: Db,
  record: Pick<
    XrplRecord,
    'user_id' | 'operation' | 'currency_code' | 'units' | 'source_address' | 'destination_address'
  > & { readonly tx_type: TxType; readonly destination_tag?: number | null },
): Promise<XrplRecord | undefined> {
  const row = await tx
    .insertInto('xrpl_transactions')
    .values(record)
    .onConflict((conflict) => conflict.constraint('xrpl_transactions_operation').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row;
}

export const xrplRecordOf = (db: Db, operation: string): Promise<XrplRecord> =>
  db
    .selectFrom('xrpl_transactions')
    .selectAll()
    .where('operation', '=', operation)
    .executeTakeFirstOrThrow();

/** Whether it was begun before. */
export const isBegun = async (db: Db, operation: string): Promise<boolean> => {
  const row = await db
    .selectFrom('xrpl_transactions')
    .select('id')
    .where('operation', '=', operation)
    .executeTakeFirst();
  return row !== undefined;
};

/** The payment of the record, as the ledger has it. */
export async function markSeen(
  tx: Db,
  operation: string,
  seen: Pick<XrplRecord, 'tx_hash' | 'raw_response'>,
): Promise<void> {
  await tx
    .updateTable('xrpl_transactions')
    .set({ ...seen, updated_at: now })
    .where('operation', '=', operation)
    .where('status', '=', 'PENDING')
    .execute();
}

/** From PENDING to its end, or back when the bank has returned the money; undefined in any other status. */
export const moveRecord = (
  tx: Db,
  operation: string,
  [from, status]: readonly [XrplRecordStatus, XrplRecordStatus],
): Promise<XrplRecord | undefined> =>
  tx
    .updateTable('xrpl_transactions')
    .set({ status, updated_at: now })
    .where('operation', '=', operation)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst();

/** By id, hash or flow, of those kinds and within the caller's tenants. */
export const findRecord = (
  db: Db,
  reach: TenantScope,
  [column, value]: readonly ['id' | 'tx_hash' | 'operation', string | number],
  types: readonly TxType[],
): Promise<XrplRecord | undefined> =>
  db
    .selectFrom('xrpl_transactions as t')
    .innerJoin('users as u', 'u.user_id', 't.user_id')
    .selectAll('t')
    .where(`t.${column}`, '=', value)
    .where('t.tx_type', 'in', types)
    .where(({ ref }) => inTenantScope(reach, ref('t.user_id'), ref('u.client_id')))
    .orderBy('t.id')
    .executeTakeFirst();

export const XRPL_STATUSES = ['PENDING', 'tesSUCCESS', 'SUCCESS_RECEIVED', 'FAILED'] as const;
export type XrplRecordStatus = (typeof XRPL_STATUSES)[number];
const HISTORY: KeysetList = { table: 'xrpl_transactions', number: 'id' };

/** A user's, newest first; `reference` is a hash. */
export const recordsOf = (
  db: Db,
  user_id: number,
  {
    reference,
    ...wish
  }: Omit<KeysetRequest, 'known'> & { readonly reference?: string | undefined },
): Promise<XrplRecord[]> =>
  pageOfKeysetList<XrplRecord>(db, HISTORY, user_id, {
    ...wish,
    ...(reference !== undefined && { known: ['tx_hash', reference.toUpperCase()] }),
  });

/** Stores the issuer of the currency and its holder here, once. */
export async function keepTrustline(
  tx: Db,
  line: Pick<Row<'xrpl_trustlines'>, 'user_id' | 'address' | 'issuer' | 'currency_code'>,
): Promise<void> {
  const { issuer, currency_code } = line;
  await tx
    .insertInto('xrpl_issuers')
    .values({ address: issuer, currency_code })
    .onConflict((conflict) => conflict.constraint('xrpl_issuers_once').doNothing())
    .execute();
  await tx
    .insertInto('xrpl_trustlines')
    .values({ ...line, status: 'ACTIVE' })
    .onConflict((conflict) => conflict.constraint('xrpl_trustlines_once').doNothing())
    .execute();
}
