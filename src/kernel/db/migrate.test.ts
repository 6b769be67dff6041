import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyDatabase, type TestDatabase, testDatabase } from '#test/database.ts';
import { migrate, planMigrations, readMigrations, requireMigrated } from './migrate.ts';

let dir: string;
let database: TestDatabase;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'archipay-migrations-'));
  await writeFile(join(dir, '0001_coins.sql'), 'create table coins (coin_id integer);');
  await writeFile(join(dir, '0002_seed.sql'), 'insert into coins values (1); select 1;');
  database = await emptyDatabase();
});

afterEach(async () => {
  await database.close();
  await rm(dir, { recursive: true });
});

const query = async (text: string) => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client.query(text).finally(() => client.end());
};

test('every migration is applied once, in order, and a second run does nothing', async () => {
  expect(await migrate(database.url, { dir })).toEqual(['0001_coins.sql', '0002_seed.sql']);
  expect(await migrate(database.url, { dir })).toEqual([]);
  expect((await query('select * from coins')).rows).toEqual([{ coin_id: 1 }]);
});

test('any number of callers at once apply every migration exactly once', async () => {
  const runs = await Promise.all(Array.from({ length: 8 }, () => migrate(database.url, { dir })));
  expect(runs.flat().sort()).toEqual(['0001_coins.sql', '0002_seed.sql']);
  expect((await query('select * from coins')).rowCount).toBe(1);
});

test('a migration that fails leaves nothing behind and names its file and line', async () => {
  const path = join(dir, '0003_bad.sql');
  await writeFile(path, 'create table half (id integer);\n\nselect nonsense;\n');
  await expect(migrate(database.url, { dir })).rejects.toThrow(
    /0003_bad\.sql:3 failed: .*nonsense/,
  );
  await expect(query('select from half')).rejects.toThrow(/does not exist/);
  await writeFile(path, 'create table whole (id integer);');
  expect(await migrate(database.url, { dir })).toEqual(['0003_bad.sql']);
});

test('a migration that was changed after it was applied is refused', async () => {
  await migrate(database.url, { dir });
  await writeFile(join(dir, '0001_coins.sql'), 'create table coins (coin_id bigint);');
  await expect(migrate(database.url, { dir })).rejects.toThrow(/0001_coins\.sql was changed after/);
});

test('line ends are no change', async () => {
  await writeFile(join(dir, '0003_two.sql'), 'select 1;\nselect 2;\n');
  await migrate(database.url, { dir });
  await writeFile(join(dir, '0003_two.sql'), 'select 1;\r\nselect 2;\r\n');
  expect(await migrate(database.url, { dir })).toEqual([]);
});

test('a database from a newer version of the service is refused', async () => {
  await writeFile(join(dir, '0003_later.sql'), 'select 1;');
  await migrate(database.url, { dir });
  await rm(join(dir, '0003_later.sql'));
  await expect(migrate(database.url, { dir })).rejects.toThrow(/this version does not know/);
});

test('a migration that comes before an applied one is refused', async () => {
  await cp(join(dir, '0002_seed.sql'), join(dir, '0005_seed.sql'));
  await migrate(database.url, { dir });
  await writeFile(join(dir, '0004_late.sql'), 'select 1;');
  await expect(migrate(database.url, { dir })).rejects.toThrow(/0004_late\.sql comes before/);
});

test('two migrations of one number and a wrongly named one are refused', async () => {
  await writeFile(join(dir, '0002_other.sql'), 'select 1;');
  await expect(readMigrations(dir)).rejects.toThrow(/Two migrations have the number/);
  await rm(join(dir, '0002_other.sql'));
  await writeFile(join(dir, '3_short.sql'), 'select 1;');
  await expect(readMigrations(dir)).rejects.toThrow(/not named NNNN_name\.sql/);
});

test('a test database is a migrated copy that no other test sees', async () => {
  const [one, other] = await Promise.all([testDatabase(), testDatabase()]);
  try {
    expect(one.url).not.toBe(other.url);
    expect(await migrate(one.url)).toEqual([]);
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
});

test('a plan names what is missing, changes nothing, and refuses what would be refused', async () => {
  expect(await planMigrations(database.url, { dir })).toEqual(['0001_coins.sql', '0002_seed.sql']);
  await expect(query('select from migrations')).rejects.toThrow(/does not exist/);
  await migrate(database.url, { dir });
  expect(await planMigrations(database.url, { dir })).toEqual([]);
  await writeFile(join(dir, '0003_more.sql'), 'select 1;');
  expect(await planMigrations(database.url, { dir })).toEqual(['0003_more.sql']);
  await writeFile(join(dir, '0001_coins.sql'), 'create table coins (coin_id bigint);');
  await expect(planMigrations(database.url, { dir })).rejects.toThrow(/was changed after/);
});

test('a database that lacks migrations is named with the way to bring it up to date', async () => {
  await expect(requireMigrated(database.url)).rejects.toThrow(
    /lacks migration 0001_\w+\.sql and \d+ more: run `npm run migrate` first/,
  );
  await migrate(database.url);
  await requireMigrated(database.url);
});
