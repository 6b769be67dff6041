import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { type LookedRows, lookedPage } from '#kernel/db/looked-page.ts';
import type { Row } from '#kernel/db/row.ts';
import { firstStatusTimes } from '#kernel/db/state-moves.ts';
import { referenceRule } from '#kernel/object-names/reference-rule.ts';

const FROM = `select t.*, (select r.object_id from currency_conversions r where r.reverses = t.conversion_id)
  as reversed_by from currency_conversions t where`;

/** It is done when it is made. */
export const CURRENCY_CONVERSION_STATUSES = ['COMPLETED'] as const;

export type CurrencyConversion = Omit<
  Row<'currency_conversions'>,
  'status' | 'from_currency' | 'to_currency'
> & {
  readonly status: (typeof CURRENCY_CONVERSION_STATUSES)[number];
  readonly from_currency: Fiat;
  readonly to_currency: Fiat;
  /** The conversion that has taken it back, as callers see it. */
  readonly reversed_by: string | null;
};
export type NewCurrencyConversion = Pick<
  CurrencyConversion,
  | ('conversion_id' | 'object_id' | 'operation' | 'client_id' | 'user_id' | 'quote_id')
  | ('from_wallet_id' | 'to_wallet_id' | 'from_currency' | 'from_units' | 'to_currency')
  | ('to_units' | 'fee' | 'reverses')
>;

export async function insertCurrencyConversion(
  tx: Db,
  conversion: NewCurrencyConversion,
): Promise<CurrencyConversion> {
  const entries = Object.entries(conversion);
  const [row] = await run<CurrencyConversion>(
    tx,
    `insert into currency_conversions (${entries.map(([name]) => name).join(', ')}, status, status_times)
     values (${entries.map((_, n) => `$${n + 1}`).join(', ')}, 'COMPLETED', ${firstStatusTimes('COMPLETED')}) returning *`,
    entries.map(([, value]) => (typeof value === 'bigint' ? value.toString() : value)),
  );
  if (!row) throw new Error('A conversion was not written');
  return { ...row, reversed_by: null };
}

/** What the same request has made before. */
export async function conversionOfRequest(
  db: Db,
  operation: string,
): Promise<CurrencyConversion | undefined> {
  return (await run<CurrencyConversion>(db, `${FROM} t.operation = $1`, [operation]))[0];
}

/** Nothing where no such conversion is within the caller's reach. */
export async function findCurrencyConversion(
  db: Db,
  { client_id, user_id }: TenantScope,
  conversion_id: string,
): Promise<CurrencyConversion | undefined> {
  const text = `${FROM} t.conversion_id = $1
    and ($2::integer is null or t.client_id = $2) and ($3::integer is null or t.user_id = $3)`;
  const values = [conversion_id, client_id ?? null, user_id ?? null];
  return (await run<CurrencyConversion>(db, text, values))[0];
}

/** Whether it has been taken back; acts on it wait until the commit. */
export async function lockReversal(tx: Db, conversion_id: string): Promise<boolean> {
  const lock = 'select from currency_conversions where conversion_id = $1 for no key update';
  await run(tx, lock, [conversion_id]);
  const text = 'select from currency_conversions where reverses = $1';
  return (await run(tx, text, [conversion_id])).length > 0;
}

interface ConversionFilters {
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

/** Within the caller's reach, newest first. */
export function listCurrencyConversions(
  db: Db,
  { user_id, client_id }: TenantScope,
  { status, reference, created_from, created_to }: ConversionFilters,
  place: { readonly limit: number; readonly before: number | undefined },
): Promise<LookedRows<CurrencyConversion>> {
  const owner = user_id === undefined ? 't.client_id = $2' : 't.user_id = $2';
  const id = user_id ?? client_id;
  return lookedPage<CurrencyConversion>(db, {
    ...place,
    sides: [`${FROM} ${id === undefined ? 'true' : owner} and t.serial < $1`],
    values: id === undefined ? [] : [id],
    filters: [
      [status, (given) => `t.status = ${given}`],
      [reference, referenceRule('payment')],
      [created_from, (given) => `t.created_at >= ${given}::timestamptz`],
      [created_to, (given) => `t.created_at < ${given}::timestamptz + interval '1 millisecond'`],
    ],
  });
}
