import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '#test/database.ts';
import { sent, trips } from '#test/statements.ts';
import { type OpenDatabase, openDatabase, run, runLast, runLater } from './db.ts';
import { pipeline } from './pg-internals.ts';

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
/** Of the statements of this file, since others share its process. */
const own = (texts: readonly string[]) => texts.filter((text) => /notes|as one/.test(text));
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
    expect(own(sent).filter((one) => !one.includes('order by'))).toEqual([
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
  expect(own(sent)).toEqual([INSERT]);
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
    await expect(
      pipeline(client, { ...asked, before: [{ text: 'begin badly', values: [] }], commits }),
    ).rejects.toThrow(/syntax/);
  const before = [{ text: 'begin', values: [] }];
  await pipeline(client, { ...asked, values: ['then'], before, commits: true });
  client.release();
  expect(await notes()).toEqual([{ text: 'then' }]);
});

test('a transaction in which nothing is asked costs nothing, one that is left is undone', async () => {
  const { db } = of(0);
  sent.length = 0;
  await db.transaction().execute(() => Promise.resolve());
  const left = db.transaction().execute(() => Promise.reject(new Error('left')));
  await expect(left).rejects.toThrow('left');
  expect(own(sent)).toEqual([]);
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

test.each(kinds)(
  'what needs no answer goes with the next %s statement, and fails it',
  async (_, i) => {
    const { db } = of(i);
    for (const commit of [true, false]) {
      sent.length = trips.length = 0;
      await db.transaction().execute(async (tx) => {
        await runLater(tx, INSERT, ['first']);
        await runLater(tx, INSERT, ['second']);
        expect(own(sent)).toEqual([]);
        if (commit) await runLast(tx, 'delete from notes where text = $1', ['first']);
      });
      expect(own(trips)).toHaveLength(commit ? 1 : 0);
      expect(own(sent)).toHaveLength(commit ? 3 : 2);
      expect(await notes()).toEqual([...(commit ? [] : [{ text: 'first' }]), { text: 'second' }]);
      await run(of(2).db, 'truncate notes', []);
    }
    const failing = ['insert into notes (at) values ($1)', ['x']] as const;
    for (let round = 0; round < 2; round += 1)
      for (const end of [runLast, run])
        await expect(
          db.transaction().execute(async (tx) => {
            await runLater(tx, INSERT, ['first']);
            await runLater(tx, ...failing);
            await end(tx, 'insert into notes (text, at) values ($1, 3)', ['after']);
          }),
        ).rejects.toMatchObject({ code: '22P02' });
    await expect(db.transaction().execute((tx) => runLater(tx, ...failing))).rejects.toMatchObject({
      code: '22P02',
    });
    await db
      .transaction()
      .execute(async (tx) => {
        await runLater(tx, INSERT, ['first']);
        throw new Error('left');
      })
      .catch(() => undefined);
    expect(await notes()).toEqual([]);
    await runLater(db, INSERT, ['first']);
    expect(
      await run(of(2).db, 'insert into notes (text, at) values ($1, 3) returning at', ['x']),
    ).toEqual([{ at: 3 }]);
    expect(await notes()).toHaveLength(2);
  },
);

test('rows of what goes before are nobody’s, and values that are none end nothing in the middle', async () => {
  const { db } = of(0);
  const read = db.transaction().execute(async (tx) => {
    await runLater(tx, 'select $1::int as other', [7]);
    return run(tx, 'select $1::int as one', [1]);
  });
  expect(await read).toEqual([{ one: 1 }]);
  const circle: { self?: object } = {};
  circle.self = circle;
  const write = db.transaction().execute(async (tx) => {
    await runLater(tx, INSERT, [circle]);
    await runLast(tx, INSERT, ['never']);
  });
  await expect(write).rejects.toThrow(/circular/);
  expect(await notes()).toEqual([]);
});
