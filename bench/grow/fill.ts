import type pg from 'pg';
import { openClient } from '#kernel/db/client.ts';
import { dataOf } from './data.ts';
import type { Sizes } from './sizes.ts';

/**
 * Fills a migrated database as its superuser, who alone may bypass triggers and foreign keys. Rows of an
 * earlier run stay unchanged.
 */
export async function fill(adminUrl: string, sizes: Sizes): Promise<void> {
  const client = await openClient({ connectionString: adminUrl });
  try {
    await client.query(`set session_replication_role = replica; set synchronous_commit = off;
      set maintenance_work_mem = '512MB'; set work_mem = '64MB';
      create extension if not exists pg_stat_statements;
      create schema if not exists grown; create table if not exists grown.parts (name text primary key)`);
    let filled = 0;
    for (const [name, sql] of Object.entries(dataOf(sizes)))
      if (await fillPart(client, name, sql)) filled += 1;
    if (filled === 0) return;
    await client.query(SEQUENCES);
    await timed('tidied', () => client.query('vacuum analyze'));
  } finally {
    await client.end();
  }
}

/** In one transaction with its record: an interrupted run continues where it was. */
async function fillPart(client: pg.Client, name: string, sql: string): Promise<boolean> {
  const known = await client.query('select from grown.parts where name = $1', [name]);
  if (known.rowCount !== 0) return false;
  await timed(name, async () => {
    await client.query('begin');
    await client.query(sql);
    await client.query('insert into grown.parts values ($1)', [name]);
    await client.query('commit');
  });
  return true;
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work();
  console.log(`  ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** Later inserts come after the filled rows. */
const SEQUENCES = `
  do $$
  declare r record;
  begin
    for r in select a.attrelid::regclass as t, a.attname as c,
        pg_get_serial_sequence(a.attrelid::regclass::text, a.attname) as s
      from pg_attribute a join pg_class k on k.oid = a.attrelid and k.relkind = 'r'
        join pg_namespace n on n.oid = k.relnamespace and n.nspname in ('public', 'ledger')
      where a.attidentity <> ''
    loop
      execute format('select setval(%L, greatest((select coalesce(max(%I), 0) from %s), 1))', r.s, r.c, r.t);
    end loop;
    perform setval('ledger.transfer_ids', max(transfer_id)) from ledger.transfers;
  end $$`;
