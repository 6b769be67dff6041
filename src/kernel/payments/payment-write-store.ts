import { type Db, run } from '../db/db.ts';
import type { Statement } from '../db/statement-names.ts';
import type { PaymentSource } from './payment-source.ts';

/** Things of one source, by their keys. */
export interface TouchedThings {
  readonly source: PaymentSource;
  readonly keys: Set<string>;
}

/** What a view of a source says of a thing, beside its own columns. */
const COLUMNS = [
  ...['object_type', 'object_id', 'client_id', 'user_id', 'wallet_id', 'rail', 'kind', 'direction'],
  ...['currency', 'scale', 'amount', 'fee', 'refunded', 'status', 'counterparty_name'],
  ...['counterparty_detail', 'our_reference', 'provider_reference', 'failure_code'],
  ...['failure_message', 'work_id', 'created_at', 'updated_at'],
] as const;
const FIXED = new Set<string>(['object_type', 'object_id', 'created_at', 'updated_at']);
const CHANGING = COLUMNS.filter((column) => !FIXED.has(column));
const listed = COLUMNS.join();

const NOW = '(select at from service_time)';
const row = (table: string) => `(${CHANGING.map((column) => `${table}.${column}`).join()})`;

/** What is not in the row yet; nothing is written where all of it is. */
const UPSERT = `
  on conflict (object_id, object_type) do update set ${CHANGING.map((column) => `${column} = excluded.${column}`).join()},
    status_times = case when payments.status = excluded.status then payments.status_times
      else jsonb_build_object(lower(excluded.status) || '_at', ${NOW}) || payments.status_times end,
    version = payments.version + 1, updated_at = ${NOW}
  where ${row('payments')} is distinct from ${row('excluded')}`;

/** Rows of views as payments. */
const insertOf = (
  things: string,
): string => `insert into payments (payment_id, ${listed}, status_times)
  select payment_id_of(created_at, object_type || ' ' || object_id), ${listed},
    jsonb_build_object(lower(status) || '_at', updated_at)
  from (${things}) things${UPSERT}`;

const texts = new Map<string, string>();

/** Writes the payments of these things as they are now. */
export function upsertOf(all: readonly TouchedThings[]): Statement {
  const known = all.map(({ source: { view, key } }) => `${view} ${key.column}`).join();
  const text = texts.get(known) ?? upsertText(all);
  texts.set(known, text);
  return { text, values: all.map(({ keys }) => [...keys]) };
}

/** Two keys may name the same thing: `union` leaves one of them. */
const upsertText = (all: readonly TouchedThings[]): string =>
  insertOf(
    all
      .map(({ source }, n) => `select ${listed} from ${source.view} where ${keyIn(source, n + 1)}`)
      .join(' union '),
  );

const keyIn = ({ key }: PaymentSource, n: number): string =>
  `${key.column} = any($${n}::${key.type}[])`;

/** Ends a payment whose thing is gone. */
export const cancelStatement = (objectType: string, objectId: string): Statement => ({
  text: `update payments set status = 'CANCELLED', version = version + 1, updated_at = ${NOW},
      status_times = jsonb_build_object('cancelled_at', ${NOW}) || status_times
    where object_id = $1 and object_type = $2 and status = 'PENDING'`,
  values: [objectId, objectType],
});

/** The keys of the next things of a source after one of them, in their order. */
export async function nextThings(
  db: Db,
  { view, key }: PaymentSource,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const from = after === undefined ? '' : `where ${key.column} > $2::${key.type}`;
  const rows = await run<{ key: string }>(
    db,
    `select ${key.column}::text as key from ${view} ${from} order by ${key.column} limit $1`,
    after === undefined ? [limit] : [limit, after],
  );
  return rows.map((found) => found.key);
}

/**
 * Writes the payments of these things, and answers how many were not as they should be. A transaction that changes one
 * of them meanwhile waits for the lock, and has the last word.
 */
export async function writePayments(
  tx: Db,
  source: PaymentSource,
  keys: readonly string[],
): Promise<number> {
  await run(
    tx,
    `select p.payment_id from ${source.view} t
       join payments p on p.object_id = t.object_id and p.object_type = t.object_type
      where t.${keyIn(source, 1)} order by p.payment_id for update of p`,
    [keys],
  );
  const { text, values } = upsertOf([{ source, keys: new Set(keys) }]);
  return (await run(tx, `${text} returning 1 as written`, values)).length;
}
