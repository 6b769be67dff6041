import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { testDatabase } from '#test/database.ts';
import { sent } from '#test/statements.ts';
import { type OpenDatabase, openDatabase, run } from './db.ts';
import { deferWrite, foldDeferred } from './deferred-writes.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let open: OpenDatabase;

beforeAll(async () => {
  database = await testDatabase();
  open = openDatabase(database.url, { max: 2 });
  await run(open.db, 'create table jotted (text text unique, of text)', []);
});
beforeEach(() => run(open.db, 'truncate jotted', []));
afterAll(async () => {
  await open.close();
  await database.close();
});

const JOT = 'insert into jotted (text, of) values ($1, $2)';
const jotted = () => run(open.db, 'select text, of from jotted order by text', []);

test('what is left for the end of a transaction is one statement, which commits', async () => {
  sent.length = 0;
  await transact(open.db, async (tx) => {
    await deferWrite(tx, JOT, ['a', 'x']);
    await run(tx, JOT, ['b', 'y']);
    await deferWrite(tx, JOT, ['c', 'z']);
    await deferWrite(tx, 'delete from jotted where text = $1', ['b']);
    expect(await run(tx, 'select text from jotted', [])).toEqual([{ text: 'b' }]);
  });
  expect(sent.filter((text) => text.includes('jotted'))).toHaveLength(3);
  expect(sent).not.toContain('commit');
  expect(await jotted()).toEqual([
    { text: 'a', of: 'x' },
    { text: 'c', of: 'z' },
  ]);
});

test('it is undone with all else when one part of it fails, and when the work does', async () => {
  const failing = transact(open.db, async (tx) => {
    await deferWrite(tx, JOT, ['a', 'x']);
    await deferWrite(tx, JOT, ['a', 'again']);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  const undone = transact(open.db, async (tx) => {
    await deferWrite(tx, JOT, ['b', 'x']);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await jotted()).toEqual([]);
});

test('outside of a transaction it is written at once', async () => {
  await deferWrite(open.db, JOT, ['a', 'x']);
  expect(await jotted()).toEqual([{ text: 'a', of: 'x' }]);
});

test('what comes last has what it joins to be last, and numbers of its own', async () => {
  const parts = [
    { text: JOT, values: ['a', 'x'] },
    { text: JOT, values: ['b', 'y'] },
  ];
  const all = foldDeferred(parts, (after) => ({
    text: `insert into jotted select $1 || '!', count::text from (select 1) one ${after}`,
    values: ['c'],
  }));
  await run(open.db, all?.text ?? '', all?.values ?? []);
  // Two were written when it was.
  expect(await jotted()).toContainEqual({ text: 'c!', of: '2' });
  expect(foldDeferred([], () => undefined)).toBeUndefined();
});
