import { afterAll, expect, test } from 'vitest';
import { planMigrations } from '#kernel/db/migrate.ts';
import { command } from '#test/command.ts';
import { emptyDatabase } from '#test/database.ts';

/** Operators' commands on a wrong or unreachable database. */
const empty = await emptyDatabase();
afterAll(() => empty.close());

const NOWHERE = 'postgresql://nobody@127.0.0.1:1/nothing';
const LOOKING = ['ledger-verify', 'audit-verify', 'idr-verify', 'jobs', 'reconcile'];

const run = (name: string, words: readonly string[], DATABASE_URL: string, more: object = {}) =>
  command([`scripts/${name}.ts`, ...words], {
    ...process.env,
    DATABASE_URL,
    LOG_LEVEL: 'silent',
    ...more,
  });

test('commands report an unreachable database in one line', async () => {
  const all = [...LOOKING.map((name) => run(name, [], NOWHERE)), run('migrate', [], NOWHERE)];
  const err = 'DATABASE_URL: nothing answers at 127.0.0.1:1 (ECONNREFUSED)\n';
  for (const ended of await Promise.all(all)) expect(ended).toEqual({ out: '', err, code: 1 });
});

test('commands name a missing migration in one line, and apply none', async () => {
  const all = await Promise.all(LOOKING.map((name) => run(name, [], empty.url)));
  const line =
    /^The database lacks migration 0001_\w+\.sql and \d+ more: run `npm run migrate` first\n$/;
  for (const { out, err, code } of all) {
    expect(err).toMatch(line);
    expect([out, code]).toEqual(['', 1]);
  }
  expect((await planMigrations(empty.url))[0]).toMatch(/^0001_/);
});

test('commands report a wrong setting like the service', async () => {
  const { err, code } = await run('ledger-verify', [], empty.url, { ROLE: 'server' });
  expect([err, code]).toEqual([
    'Bad configuration: ROLE must be api, worker or all, not "server"\n',
    1,
  ]);
});

test('a misspelt argument of npm run migrate applies nothing', async () => {
  const { out, err, code } = await run('migrate', ['--paln'], empty.url);
  expect([out, err, code]).toEqual(['', 'Usage: npm run migrate [-- --plan]\n', 1]);
  expect((await planMigrations(empty.url))[0]).toMatch(/^0001_/);
});

test('npm run tenant names its words where they are wrong', async () => {
  for (const words of [
    [],
    ['export', '3'],
    ['export', '3', '--to', 'x', '--by', 'y'],
    ['import', '3'],
  ]) {
    const { out, err, code } = await run('tenant', words, empty.url);
    expect([out, err.split('\n')[0], code]).toEqual(['', 'Usage: npm run tenant -- <command>', 1]);
  }
});

test('an unreachable copy is not reported as bad', async () => {
  const { out, err, code } = await run('restore-check', ['--database', NOWHERE], empty.url);
  const said = '--database: nothing answers at 127.0.0.1:1 (ECONNREFUSED)\n';
  expect([out, err, code]).toEqual(['', said, 1]);
});
