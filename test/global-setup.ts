import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '#embedded/embedded.ts';
import { discard, testFolder } from './folders.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this test run, as the application's role. */
    testServer: string;
    /** The same as superuser, the only role that creates databases. */
    testAdmin: string;
    /** The process id of this test run. */
    testRun: number;
  }
}

/** One PostgreSQL per test run: any number of runs may run at once. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = process.pid;
  discard(run);
  // The teardown below is skipped when the run is cut short.
  process.once('exit', () => discard(run));
  const { url, adminUrl, stop } = await startEmbedded({
    dir: await testFolder(run),
    durable: false,
  });
  await hasten(adminUrl, url);
  project.provide('testServer', url);
  project.provide('testAdmin', adminUrl);
  project.provide('testRun', run);
  return async () => {
    await stop();
    discard(run);
  };
}

/**
 * Tests open thousands of sessions, each of which runs a statement only a few times: its plan is made once and
 * not for each of the first five executions, and a password is checked by one round instead of 4,096. Only a test
 * that needs it vacuums or analyzes: otherwise plans would depend on the moment.
 */
async function hasten(adminUrl: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query('show hba_file');
    await writeFile(rows[0].hba_file, 'host all all 127.0.0.1/32 password\n');
    await client.query(`alter system set plan_cache_mode = 'force_generic_plan'`);
    await client.query('alter system set scram_iterations = 1');
    await client.query('alter system set autovacuum = off');
    await client.query('select pg_reload_conf()');
    await client.query('set scram_iterations = 1');
    for (const { username, password } of [new URL(adminUrl), new URL(url)])
      await client.query(
        `alter role ${pg.escapeIdentifier(username)} password ${pg.escapeLiteral(password)}`,
      );
  } finally {
    await client.end();
  }
}
