import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { openDatabase } from '../../db/db.ts';
import { toAppError } from './faults.ts';

const database = await testDatabase();
const { pool, close } = openDatabase(database.url, { max: 1 });
afterAll(async () => {
  await close();
  await database.close();
});

const told = async (work: () => Promise<unknown>) => {
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const { status, code, retryAfter, cause } = toAppError(error, undefined);
  expect(cause).toBe(error);
  return { status, code, retryAfter };
};
const LATER = { status: 503, code: 'OVERLOADED', retryAfter: 3 };
const BROKEN = { status: 500, code: 'INTERNAL', retryAfter: undefined };

test('a database that cannot be reached, ends the session or takes too long is 503 for a while', async () => {
  const nowhere = new pg.Pool({ connectionString: 'postgres://x@127.0.0.1:9/x' });
  expect(await told(() => nowhere.query('select 1'))).toEqual(LATER);
  const ended = () => pool.query('select pg_terminate_backend(pg_backend_pid())');
  expect(await told(ended)).toEqual(LATER);
  const impatient = openDatabase(database.url, { max: 1, statementMs: 200 });
  expect(await told(() => impatient.pool.query('select pg_sleep(30)'))).toEqual(LATER);
  await impatient.close();
  await nowhere.end();
});

test('a database that follows and is only about to lead is 503 for a while', async () => {
  await pool.query('create table things (n integer)');
  await pool.query('set default_transaction_read_only = on');
  expect(await told(() => pool.query('insert into things values (1)'))).toEqual(LATER);
  await pool.query('set default_transaction_read_only = off');
  await pool.query('insert into things values (1)');
});

test('a pool with nothing to give is 503 for a while', async () => {
  const full = new pg.Pool({ connectionString: database.url, max: 1 });
  const taken = await full.connect();
  full.options.connectionTimeoutMillis = 100;
  expect(await told(() => full.query('select 1'))).toEqual(LATER);
  taken.release();
  await full.end();
});

test('a statement that the database refuses, and a mistake of ours, is 500', async () => {
  expect(await told(() => pool.query('select 1 / 0'))).toEqual(BROKEN);
  expect(await told(() => pool.query('select nothing'))).toEqual(BROKEN);
  expect(await told(async () => JSON.parse('{'))).toEqual(BROKEN);
});
