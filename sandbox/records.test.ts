import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '#kernel/db/db.ts';
import { testDatabase } from '#test/database.ts';
import { createRecords } from './records.ts';

const database = await testDatabase();
const { db, close } = openDatabase(database.url);
const records = createRecords(db);
afterAll(async () => {
  await close();
  await database.close();
});

interface Counter {
  readonly n: number;
  readonly name?: string;
}

test('of many who insert one id at once, exactly one does', async () => {
  const inserted = await Promise.all(
    Array.from({ length: 20 }, (_, n) => records.insert('p', 'once', 'id', { n })),
  );
  expect(inserted.filter(Boolean)).toHaveLength(1);
  expect(await records.get<Counter>('p', 'once', 'id')).toEqual({ n: inserted.indexOf(true) });
});

test('the same id of another kind or provider is another record', async () => {
  expect(await records.insert('p', 'a', 'same', {})).toBe(true);
  expect(await records.insert('p', 'b', 'same', {})).toBe(true);
  expect(await records.insert('q', 'a', 'same', {})).toBe(true);
  expect(await records.get('q', 'b', 'same')).toBeUndefined();
});

test('changes to one record wait for one another, so that none is lost', async () => {
  await records.insert('p', 'count', 'id', { n: 0 });
  const more = () => records.update<Counter>('p', 'count', 'id', ({ n }) => ({ n: n + 1 }));
  await Promise.all(Array.from({ length: 20 }, more));
  expect(await records.get('p', 'count', 'id')).toEqual({ n: 20 });
});

test('a change that is declined, or fails, leaves the record as it was', async () => {
  await records.insert('p', 'keep', 'id', { n: 1 });
  expect(await records.update('p', 'keep', 'id', () => undefined)).toBeUndefined();
  const failing = records.update('p', 'keep', 'id', () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await records.get('p', 'keep', 'id')).toEqual({ n: 1 });
  expect(await records.update('p', 'keep', 'other', () => ({ n: 2 }))).toBeUndefined();
});

test('changes that belong together happen all or none, one at a time for one id', async () => {
  await records.insert('p', 'pair', 'count', { n: 0 });
  const add = (n: number) =>
    records.exclusively('p', 'pair', 'new', async (held) => {
      const before = await held.get<Counter>('p', 'pair', 'count');
      await held.update<Counter>('p', 'pair', 'count', () => ({ n: (before?.n ?? 0) + 1 }));
      if (n % 2 === 0) throw new Error('cut short');
      return held.insert('p', 'pair', `${n}`, { n });
    });
  const all = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => add(n)));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(await records.get('p', 'pair', 'count')).toEqual({ n: 5 });
  expect(await records.list('p', 'pair')).toHaveLength(6);
});

test('lists and finds are newest first', async () => {
  for (const n of [1, 2, 3])
    await records.insert('p', 'list', `${n}`, { n, name: n === 2 ? 'even' : 'odd' });
  expect(await records.list('p', 'list', { limit: 2 })).toMatchObject([{ n: 3 }, { n: 2 }]);
  expect(await records.list('p', 'list', { where: { name: 'odd' } })).toMatchObject([
    { n: 3 },
    { n: 1 },
  ]);
  expect(await records.list('p', 'list', { before: '3', limit: 1 })).toMatchObject([{ n: 2 }]);
  expect(await records.list('p', 'list', { before: '1' })).toEqual([]);
  expect(await records.find<Counter>('p', 'list', 'name', 'odd')).toMatchObject({ n: 3 });
  expect(await records.find('p', 'list', 'name', 'none')).toBeUndefined();
  expect(await records.find('p', 'list', 'n', 1)).toMatchObject({ n: 1 });
});

test('several changes happen whole or not at all, and one row’s lock holds until the end', async () => {
  await records.insert('p', 'purse', 'a', { n: 0 });
  await records.insert('p', 'purse', 'b', { n: 0 });
  const add = (more: number) => (counter: Counter) => ({ n: counter.n + more });
  const failing = records.atomic(async (all) => {
    await all.update('p', 'purse', 'a', add(1));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await records.get('p', 'purse', 'a')).toEqual({ n: 0 });
  const move = () =>
    records.atomic(async (all) => {
      const { n } = (await all.update('p', 'purse', 'a', add(-1))) ?? { n: 0 };
      await all.update('p', 'purse', 'b', add(1));
      return n;
    });
  const left = await Promise.all(Array.from({ length: 10 }, move));
  expect(new Set(left).size).toBe(10);
  expect(await records.list('p', 'purse')).toEqual([{ n: 10 }, { n: -10 }]);
});
