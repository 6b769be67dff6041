import pg from 'pg';
import { type Db, run } from '#kernel/db/db.ts';
import { type Book, createPosting } from '#kernel/ledger/posting.ts';

/** A feature's own row beside the money. */
export interface Payment {
  readonly reference: string;
}

/** A minimal feature: a table of its own, and a row in it for each posting. */
export async function payments(
  db: Db,
  { made = false }: { readonly made?: boolean } = {},
): Promise<Book<Payment, Payment>> {
  const table = 'create table if not exists test_payments (reference text primary key)';
  if (!made) await run(db, table, []);
  const { together } = createPosting<Payment, Payment>(db, {
    async storeAll(tx, all) {
      const references = all.map(({ reference }) => reference);
      await run(tx, 'insert into test_payments (reference) select unnest($1::text[])', [
        references,
      ]);
      return all;
    },
    async store(tx, { reference }) {
      const text = `insert into test_payments (reference) values ($1)
        on conflict do nothing returning reference`;
      const [row] = await run<Payment>(tx, text, [reference]);
      return row;
    },
  });
  return together;
}

/** Cuts every other connection to that database, as a restart of the server does, and waits until all of them are gone. */
export async function cutSessions(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`select pid, pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  const cut = rows.map(({ pid }) => pid);
  const left = 'select from pg_stat_activity where pid = any($1::int[])';
  // A terminated session ends when it next has the processor, and would still take a statement until then.
  while ((await client.query(left, [cut])).rowCount !== 0)
    await client.query('select pg_sleep(0.01)');
  await client.end();
}
