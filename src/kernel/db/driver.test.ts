import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { sent } from '#test/statements.ts';
import { type OpenDatabase, openDatabase, run, runLast } from './db.ts';
import { askTogether } from './together.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
const opened: OpenDatabase[] = [];

beforeAll(async () => {
  database = await testDatabase();
  // The third looks on, from outside.
  for (const prepared of [true, false, true])
    opened.push(openDatabase(database.url, { max: 1, prepared }));
  await run(of(0).db, 'create table notes (text text, at int)', []);
  await run(
    of(0).db,
    'alter table notes add constraint once unique (text) deferrable initially deferred',
    [],
  );
});
beforeEach(() => run(of(0).db, 'truncate notes', []));
afterAll(async () => {
  for (const { close } of opened) await close();
  await database.close();
});

const of = (i: number): OpenDatabase => opened[i] as OpenDatabase;
const INSERT = 'insert into notes (text) values ($1)';
const notes = () => run(of(2).db, 'select text from notes order by text', []);
const kinds = [
  ['prepared', 0],
  ['unprepared', 1],
] as const;

test.each(kinds)('of %s statements the first begins and the last commits', async (_, i) => {
  const { db } = of(i);
  for (const text of ['a', 'b']) {
    sent.length = 0;
    await db.transaction().execute(async (tx) => {
      await run(tx, INSERT, [text]);
      expect(await run(tx, 'select 1 as one', [])).toEqual([{ one: 1 }]);
      expect(await notes()).not.toContainEqual({ text });
      await runLast(tx, INSERT, [`${text}!`]);
    });
    expect(sent.filter((one) => !one.includes('order by'))).toEqual([
      INSERT,
      'select 1 as one',
      INSERT,
    ]);
  }
  expect(await notes()).toEqual(['a', 'a!', 'b', 'b!'].map((text) => ({ text })));
});

test.each(kinds)('a transaction of one %s statement is one message', async (_, i) => {
  sent.length = 0;
  await of(i)
    .db.transaction()
    .execute((tx) => runLast(tx, INSERT, ['alone']));
  expect(sent).toEqual([INSERT]);
  expect(await notes()).toEqual([{ text: 'alone' }]);
});

test.each(kinds)('what fails first, last or at the %s commit leaves nothing', async (_, i) => {
  const { db } = of(i);
  const broken = 'insert into notes (at) values ($1::text::int)';
  const works = (first: string, last: string, value: string) =>
    db.transaction().execute(async (tx) => {
      await run(tx, first, [value]);
      await runLast(tx, last, [value]);
    });
  await expect(works(broken, INSERT, 'x')).rejects.toMatchObject({ code: '22P02' });
  await expect(works(INSERT, broken, 'x')).rejects.toMatchObject({ code: '22P02' });
  await expect(works(INSERT, 'insert into nowhere values ($1)', 'x')).rejects.toMatchObject({
    code: '42P01',
  });
  // The constraint is looked at when it commits.
  await expect(works(INSERT, INSERT, 'twice')).rejects.toMatchObject({ code: '23505' });
  expect(await notes()).toEqual([]);
  await db.transaction().execute((tx) => runLast(tx, INSERT, ['after']));
  expect(await notes()).toEqual([{ text: 'after' }]);
});

test('nothing is done of a transaction that cannot begin, and its statement can be asked again', async () => {
  const client: pg.PoolClient = await of(0).pool.connect();
  const text = 'insert into notes (text, at) values ($1, 7)';
  const asked = { text, values: ['never'], name: 'asked' };
  for (const commits of [false, true])
    await expect(askTogether(client, { ...asked, begin: 'begin badly', commits })).rejects.toThrow(
      /syntax/,
    );
  await askTogether(client, { ...asked, values: ['then'], begin: 'begin', commits: true });
  client.release();
  expect(await notes()).toEqual([{ text: 'then' }]);
});

test('a transaction in which nothing is asked costs nothing, one that is left is undone', async () => {
  const { db } = of(0);
  sent.length = 0;
  await db.transaction().execute(() => Promise.resolve());
  const left = db.transaction().execute(() => Promise.reject(new Error('left')));
  await expect(left).rejects.toThrow('left');
  expect(sent).toEqual([]);
  const later = db.transaction().execute(async (tx) => {
    await run(tx, INSERT, ['gone']);
    throw new Error('left');
  });
  await expect(later).rejects.toThrow('left');
  expect(await notes()).toEqual([]);
});

test('a failure that nobody minds is no commit', async () => {
  const careless = of(0)
    .db.transaction()
    .execute(async (tx) => {
      await run(tx, INSERT, ['kept?']);
      await run(tx, 'select 1 / $1::int', [0]).catch(() => undefined);
    });
  await expect(careless).rejects.toThrow(/ROLLBACK/);
  expect(await notes()).toEqual([]);
});

test('a transaction that only reads is begun as that', async () => {
  const reading = of(0).db.transaction().setIsolationLevel('repeatable read');
  const write = reading.setAccessMode('read only').execute((tx) => run(tx, INSERT, ['x']));
  await expect(write).rejects.toMatchObject({ code: '25006' });
});
