import { type Db, run } from '#kernel/db/db.ts';
import { clientOfRow } from '#src/app/operate/tenant/owners-store.ts';
import { type BaseTable, TENANCY } from '#src/app/tenancy.ts';
import { foreignKeys } from './foreign-keys.ts';

const TABLES = Object.keys(TENANCY) as BaseTable[];

/** Tables with rows that lead to no client: the house's own are no fault. */
const OF_THE_HOUSE: ReadonlySet<BaseTable> = new Set<BaseTable>([
  'ledger.account_marks',
  'ledger.accounts',
  'ledger.entries',
  'ledger.holds',
  'ledger.kind_sums',
  'ledger.transfers',
  'ledger.verified_accounts',
]);

/** What contradicts the registry of tables in this database: a row without a client, or with another one's. */
export async function strayRows(db: Db): Promise<string[]> {
  return [...(await orphans(db)), ...(await crossings(db)), ...(await mixedPostings(db))];
}

async function orphans(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const table of TABLES) {
    const client = OF_THE_HOUSE.has(table) ? undefined : clientOfRow(table, 't');
    const owner = TENANCY[table];
    if (client === undefined || owner.by === 'client') continue;
    // Without an account: a stranger's message, a session of the rewards app.
    const isNamed = owner.by === 'path' ? `t.${owner.column} is not null` : 'true';
    const [row] = await run<{ n: number }>(
      db,
      `select count(*)::integer as n from ${table} t where ${client} is null and ${isNamed}`,
      [],
    );
    if (row?.n !== 0) found.push(`${table}: ${row?.n} rows lead to no client`);
  }
  return found;
}

async function crossings(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const { table, columns, target, keys } of await foreignKeys(db)) {
    const [own, other] = [
      clientOfRow(table as BaseTable, 't'),
      clientOfRow(target as BaseTable, 'r'),
    ];
    if (own === undefined || other === undefined || target === 'clients') continue;
    // The operator's people act for every client.
    if (columns.every((column) => column.endsWith('_by'))) continue;
    const joined = columns.map((column, i) => `t.${column} = r.${keys[i]}`).join(' and ');
    const [row] = await run<{ n: number }>(
      db,
      `select count(*)::integer as n from ${table} t join ${target} r on ${joined}
        where ${own} <> ${other}`,
      [],
    );
    if (row?.n !== 0)
      found.push(`${table}(${columns}) leads to ${row?.n} rows of another client in ${target}`);
  }
  return found;
}

/** Postings between the wallets of two clients. */
async function mixedPostings(db: Db): Promise<string[]> {
  const rows = await run<{ kind: string; n: number }>(
    db,
    `select x.kind, count(*)::integer as n from (
       select t.kind from ledger.transfers t join ledger.entries e using (transfer_id)
         join ledger.accounts a using (account_id) join users u on u.user_id = ledger.user_of(a.owner)
        group by t.transfer_id, t.kind having count(distinct u.client_id) > 1) x group by x.kind`,
    [],
  );
  return rows.map(({ kind, n }) => `${n} transfers ${kind} join two clients`);
}
