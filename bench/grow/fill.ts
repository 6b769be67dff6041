import { openClient } from '#kernel/db/client.ts';
import { dataOf } from './data.ts';
import type { Sizes } from './sizes.ts';

/** Fills a migrated database as its superuser, who alone may do without triggers and foreign keys. */
export async function fill(adminUrl: string, sizes: Sizes): Promise<void> {
  const client = await openClient({ connectionString: adminUrl });
  try {
    await client.query(`set session_replication_role = replica; set synchronous_commit = off;
      set maintenance_work_mem = '512MB'; set work_mem = '64MB'`);
    for (const [name, sql] of Object.entries(dataOf(sizes))) {
      const start = performance.now();
      await client.query(sql);
      console.log(`  ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    }
    await client.query(SEQUENCES);
    await client.query(
      "select setval('ledger.transfer_ids', max(transfer_id)) from ledger.transfers",
    );
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Whatever is inserted from now on comes after what was filled in. */
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
  end $$`;
