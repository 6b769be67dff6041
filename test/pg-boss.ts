import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Gives a database the queue of versions before the table `jobs`, as such a service created it. */
export async function installPgBoss(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(await readFile(join(import.meta.dirname, 'pg-boss.sql'), 'utf8'));
  await client.end();
}
