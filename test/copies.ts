import pg from 'pg';
import { inject } from 'vitest';
import { type TestDatabase, testDatabase } from './database.ts';

/** The contents of a backup: every row, by its table, without partitioned logs and the queue. */
export type Rows = readonly (readonly [table: string, rows: string])[];

const TABLES = `
  select c.oid::regclass::text as name,
    (select string_agg(quote_ident(attname), ', ') from pg_attribute
     where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and not c.relispartition
    and n.nspname not in ('pg_catalog', 'information_schema', 'sandbox')
    and c.relname not in ('migrations', 'jobs') order by 1`;

interface Table {
  readonly name: string;
  readonly columns: string;
}

/** Reads all of it in one moment, as pg_dump does. */
export async function rowsOf(url: string): Promise<Rows> {
  return connected(url, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const all: [string, string][] = [];
    for (const { name } of (await client.query<Table>(TABLES)).rows) {
      const { rows } = await client.query(
        `select coalesce(json_agg(t), '[]')::text as rows from ${name} t`,
      );
      if (rows[0].rows !== '[]') all.push([name, rows[0].rows]);
    }
    return all;
  });
}

/** Inserts them into a database that has the same tables, as a superuser: no trigger fires, as in a restore. */
export async function fill(url: string, all: Rows): Promise<void> {
  await connected(url, async (client) => {
    await client.query('set session_replication_role = replica');
    const { rows: tables } = await client.query<Table>(TABLES);
    for (const { name } of tables) await client.query(`delete from ${name}`);
    for (const [table, rows] of all) {
      const columns = tables.find(({ name }) => name === table)?.columns;
      await client.query(
        `insert into ${table} (${columns}) overriding system value
         select ${columns} from json_populate_recordset(null::${table}, $1)`,
        [rows],
      );
    }
  });
}

/** A database of the same rows without other connections. */
export async function copyWith(rows: Rows): Promise<TestDatabase> {
  const database = await testDatabase();
  await fill(asSuperuser(database.url), rows);
  return database;
}

/** The same database by the role that may do anything. */
export function asSuperuser(url: string): string {
  const address = new URL(inject('testAdmin'));
  address.pathname = new URL(url).pathname;
  return address.href;
}

export async function connected<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
