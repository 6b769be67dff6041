// Long: a database is lost and comes back.

import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '#kernel/log.ts';
import { testDatabase } from '#test/database.ts';
import { transactionPooler } from '#test/pooler.ts';
import { holdLiveness } from './liveness.ts';

const database = await testDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
afterAll(async () => {
  await client.end();
  await database.close();
});

const sessionOf = async (number: number | undefined) =>
  (await client.query('select process_session($1) as pid', [number])).rows[0].pid as number | null;

test('every process has a number of its own, held exactly as long as its connection lives', async () => {
  const log = createLog('silent');
  const all = await Promise.all([1, 2, 3].map(() => holdLiveness(database.url, log)));
  const numbers = all.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(3);
  const sessions = new Set<number | null>();
  for (const number of numbers) sessions.add(await sessionOf(number));
  expect([sessions.size, sessions.has(null)]).toEqual([3, false]);
  await Promise.all(all.map((presence) => presence.close()));
  for (const number of numbers) await expect.poll(() => sessionOf(number)).toBeNull();
  for (const { number } of all) expect(number).toBeUndefined();
});

test('what is claimed before a lost connection is there again is signed all the same', async () => {
  const presence = await holdLiveness(database.url, createLog('silent'));
  const { number } = presence;
  const lost = await sessionOf(number);
  await client.query('select pg_terminate_backend($1)', [lost]);
  const signed = new Set<number | undefined>();
  for (let session = lost; session === lost || session === null; ) {
    session = await sessionOf(number);
    signed.add(presence.number);
  }
  // Nobody is missed by a claim without a number: only time would end it.
  expect([...signed]).toEqual([number]);
  await presence.close();
});

test('where the lost session is still held a process takes another number', async () => {
  const presence = await holdLiveness(database.url, createLog('silent'));
  const before = presence.number;
  const lingering = new pg.Client({ connectionString: database.url });
  await lingering.connect();
  // In line for the lock, so that it is never free.
  const held = lingering.query('select hold from pg_advisory_lock(7242006, $1) as hold', [before]);
  const waiting = 'select from pg_locks where not granted and classid = 7242006';
  await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
  await client.query('select pg_terminate_backend(process_session($1))', [before]);
  await held;
  await expect.poll(() => presence.number).toBeGreaterThan(before ?? 0);
  expect(await sessionOf(presence.number)).not.toBeNull();
  await presence.close();
  await lingering.end();
});

test('through a pooler that changes sessions nothing is signed: only time ends a claim', async () => {
  const warnings: string[] = [];
  const log = createLog('warn', { write: (line) => void warnings.push(line) });
  const pooler = await transactionPooler(database.url);
  try {
    const presence = await holdLiveness(pooler.url, log);
    await expect.poll(() => presence.number).toBeUndefined();
    await expect.poll(() => warnings.join()).toContain('keep its session');
    await presence.close();
  } finally {
    pooler.close();
  }
});
