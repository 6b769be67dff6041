import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { migrate } from '../src/kernel/db/migrate.ts';

/** A substitute of `pg_restore` for tests on machines without PostgreSQL's programs, with the same arguments. */
const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env;
const url = `postgres://${PGUSER}:${PGPASSWORD}@${PGHOST}:${PGPORT}/${PGDATABASE}`;
const [magic = '', text = ''] = (await readFile(process.argv.at(-1) ?? '', 'utf8')).split('\n');
if (magic !== 'PGDMP' || !process.argv.includes('--exit-on-error')) {
  console.error('pg_restore: error: input file does not appear to be a valid archive');
  process.exit(1);
}
await migrate(url);
const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query(text);
await client.end();
