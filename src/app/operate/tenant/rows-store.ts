import { type Db, run } from '#kernel/db/db.ts';
import { type BaseTable, TENANCY } from '#src/app/tenancy.ts';
import { isOfClient } from './owners-store.ts';

/** Rows that are read at a time. */
const BATCH = 1000;

interface TableColumn {
  readonly name: string;
  readonly type: string;
}

/** The tables that have rows of clients, in the order of an archive. */
export const TENANT_TABLES: readonly BaseTable[] = (Object.keys(TENANCY) as BaseTable[])
  .filter((table) => isOfClient(table, 't', '$1') !== undefined)
  .sort();

/**
 * A client's rows of a table as lines of JSON, in the order of the primary key. Whole numbers of 64 bits and decimals
 * are texts, bytes are base64, and times are in UTC.
 */
export async function* rowsOfClient(
  tx: Db,
  table: BaseTable,
  client_id: number,
): AsyncGenerator<readonly string[]> {
  const columns = await columnsOf(tx, table);
  const shown = columns.map(({ name, type }) => `${shownAs(name, type)} as "${name}"`).join(', ');
  const order = (await keyOf(tx, table)).map((name) => `t."${name}"`).join(', ');
  const condition = isOfClient(table, 't', '$1');
  // A client may have millions of rows: they are never in memory together.
  await run(
    tx,
    `declare tenant_rows no scroll cursor for
       select row_to_json(r)::text as line from (select ${shown} from ${table} t
        where ${condition} order by ${order}) r`,
    [client_id],
  );
  for (;;) {
    const rows = await run<{ line: string }>(tx, `fetch ${BATCH} from tenant_rows`, []);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < BATCH) break;
  }
  await run(tx, 'close tenant_rows', []);
}

function shownAs(name: string, type: string): string {
  if (type === 'bigint' || type === 'numeric') return `t."${name}"::text`;
  if (type === 'bytea') return `translate(encode(t."${name}", 'base64'), E'\\n', '')`;
  return `t."${name}"`;
}

const columnsOf = (db: Db, table: BaseTable): Promise<TableColumn[]> =>
  run<TableColumn>(
    db,
    `select a.attname as name, split_part(format_type(a.atttypid, null), '(', 1) as type
       from pg_attribute a where a.attrelid = $1::text::regclass and a.attnum > 0 and not a.attisdropped
      order by a.attnum`,
    [table],
  );

async function keyOf(db: Db, table: BaseTable): Promise<string[]> {
  const rows = await run<{ name: string }>(
    db,
    `select a.attname as name from pg_index i
       cross join unnest(i.indkey::smallint[]) with ordinality k(attnum, n)
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
      where i.indrelid = $1::text::regclass and i.indisprimary order by k.n`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** What the ledger holds for a client's people, in whole units of each asset. */
export interface TenantSum {
  readonly asset: string;
  readonly purpose: string;
  readonly accounts: number;
  readonly posted: string;
  readonly held: string;
}

export const sumsOfClient = (tx: Db, client_id: number): Promise<TenantSum[]> =>
  run<TenantSum>(
    tx,
    `select t.asset, t.purpose, count(*)::integer as accounts, sum(t.posted)::text as posted, sum(t.held)::text as held
       from ledger.accounts t where ${isOfClient('ledger.accounts', 't', '$1')} group by 1, 2 order by 1, 2`,
    [client_id],
  );

/** The client's name; undefined where there is none of that id. */
export async function findTenant(tx: Db, client_id: number): Promise<string | undefined> {
  const text = 'select client_alias from clients where client_id = $1';
  const [row] = await run<{ client_alias: string }>(tx, text, [client_id]);
  return row?.client_alias;
}

/** The newest migration, which says what the tables look like. */
export async function schemaVersion(tx: Db): Promise<string> {
  const text = 'select version, name from migrations order by version desc limit 1';
  const [row] = await run<{ version: number; name: string }>(tx, text, []);
  return row?.name ?? '';
}

/** How many payments of the client have not ended. */
export async function pendingPayments(tx: Db, client_id: number): Promise<number> {
  const text = `select count(*)::integer as n from payments where client_id = $1 and status = 'PENDING'`;
  const [row] = await run<{ n: number }>(tx, text, [client_id]);
  return row?.n ?? 0;
}
