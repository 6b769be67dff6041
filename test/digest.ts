import { expect } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { Harness } from './harness.ts';

/** Lines of requests, and when a key was used last: of each request, whatever it does. */
const BESIDE = ['request_logs', 'api_keys'];

/** One text for all that is in the database, sequences aside. */
export async function digestOf({ db }: Harness): Promise<Record<string, string>> {
  await expect.poll(() => run(db, 'select from events.outbox limit 1', [])).toEqual([]);
  const tables = await run<{ name: string }>(
    db,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
       and table_name <> all($1) order by 1`,
    [BESIDE],
  );
  const all: Record<string, string> = {};
  for (const { name } of tables) {
    const text = `select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as digest
      from ${name} t`;
    const [row] = await run<{ digest: string }>(db, text, []);
    all[name] = row?.digest ?? '';
  }
  return all;
}
