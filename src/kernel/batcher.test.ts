import { expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';

/** Doubles numbers; refuses to do anything odd, and any batch with something odd in it. */
function doubler(limits: { max?: number; atOnce?: number } = {}) {
  const batches: number[][] = [];
  let pause: Promise<unknown> = Promise.resolve();
  const double = async (items: readonly number[]) => {
    batches.push([...items]);
    await pause;
    const odd = items.find((item) => item % 2 === 1);
    if (odd !== undefined) throw new Error(`${odd} is odd`);
    return items.map((item) => item * 2);
  };
  const ask = createBatcher<number, number>({
    ...limits,
    many: double,
    one: async (item) => (await double([item]))[0] ?? 0,
  });
  const hold = (until: Promise<unknown>) => {
    pause = until;
  };
  return { ask, batches, hold };
}

test('what is asked for at once is done together, and each gets its own answer', async () => {
  const { ask, batches } = doubler();
  expect(await Promise.all([2, 4, 6].map(ask))).toEqual([4, 8, 12]);
  expect(batches).toEqual([[2, 4, 6]]);
});

test('what comes while a batch is under way is the next one; nothing waits for a batch to fill', async () => {
  const { ask, batches, hold } = doubler();
  const { promise, resolve } = Promise.withResolvers<void>();
  hold(promise);
  const first = ask(2);
  await new Promise(setImmediate);
  const others = [ask(4), ask(6)];
  await new Promise(setImmediate);
  expect(batches).toEqual([[2]]);
  resolve();
  expect(await Promise.all([first, ...others])).toEqual([4, 8, 12]);
  expect(batches).toEqual([[2], [4, 6]]);
  expect(await ask(8)).toBe(16);
});

test('a batch that fails is done by halves, in order, and only what is wrong fails', async () => {
  const { ask, batches } = doubler();
  const ended = await Promise.allSettled([2, 3, 4].map(ask));
  expect(ended).toMatchObject([{ value: 4 }, { reason: { message: '3 is odd' } }, { value: 8 }]);
  expect(batches).toEqual([[2, 3, 4], [2], [3, 4], [3], [4]]);
  expect(await ask(10)).toBe(20);
});

test('one that is wrong among many costs the others few batches more', async () => {
  const { ask, batches } = doubler();
  const items = Array.from({ length: 64 }, (_, i) => (i === 40 ? 41 : i * 2));
  const ended = await Promise.allSettled(items.map(ask));
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(ended[40]).toMatchObject({ reason: { message: '41 is odd' } });
  // The batch, and two at each of the six times that it is halved.
  expect(batches).toHaveLength(1 + 2 * 6);
});

test('without a way to do one, it is a batch of one', async () => {
  const batches: number[][] = [];
  const ask = createBatcher<number, number>({
    async many(items) {
      batches.push([...items]);
      if (items.includes(3)) throw new Error('3 is odd');
      return items.map((item) => item * 2);
    },
  });
  const ended = await Promise.allSettled([2, 3].map(ask));
  expect(ended).toMatchObject([{ value: 4 }, { reason: { message: '3 is odd' } }]);
  expect(batches).toEqual([[2, 3], [2], [3]]);
});

test('an error among the answers of a batch is for the one that it answers', async () => {
  let batches = 0;
  const ask = createBatcher<number, number>({
    async many(items) {
      batches += 1;
      return items.map((item) => (item === 3 ? new Error('3 is odd') : item * 2));
    },
  });
  const ended = await Promise.allSettled([2, 3, 4].map(ask));
  expect(ended).toMatchObject([{ value: 4 }, { reason: { message: '3 is odd' } }, { value: 8 }]);
  expect(batches).toBe(1);
});

test('a batch has a limit, and what is beyond it is the next, in order', async () => {
  const { ask, batches } = doubler();
  const items = Array.from({ length: 150 }, (_, i) => i * 2);
  expect(await Promise.all(items.map(ask))).toEqual(items.map((item) => item * 2));
  expect(batches.map(({ length }) => length)).toEqual([64, 64, 22]);
  expect(batches.flat()).toEqual(items);
  const small = doubler({ max: 2 });
  await Promise.all([2, 4, 6].map(small.ask));
  expect(small.batches).toEqual([[2, 4], [6]]);
});

test('batches that lock nothing need not wait for each other', async () => {
  const { ask, batches, hold } = doubler({ max: 2, atOnce: 2 });
  const { promise, resolve } = Promise.withResolvers<void>();
  hold(promise);
  const all = [2, 4, 6, 8, 10].map(ask);
  await new Promise(setImmediate);
  expect(batches).toEqual([
    [2, 4],
    [6, 8],
  ]);
  resolve();
  expect(await Promise.all(all)).toEqual([4, 8, 12, 16, 20]);
});

test('an item that throws at once fails alone, and the next ones are done all the same', async () => {
  const ask = createBatcher<number, number>({
    many: () => {
      throw new Error('not together');
    },
    one(item) {
      if (item === 1) throw new Error('not at all');
      return Promise.resolve(item);
    },
  });
  const ended = await Promise.allSettled([1, 2].map(ask));
  expect(ended).toMatchObject([{ reason: { message: 'not at all' } }, { value: 2 }]);
  expect(await ask(3)).toBe(3);
});

test('what cannot be done in any reasonable time is refused at once', async () => {
  const { ask, batches, hold } = doubler();
  const { promise, resolve } = Promise.withResolvers<void>();
  hold(promise);
  const all = Array.from({ length: 5000 }, (_, i) => ask(i * 2));
  await expect(ask(2)).rejects.toMatchObject({ code: 'OVERLOADED', status: 503 });
  resolve();
  expect(await Promise.all(all)).toHaveLength(5000);
  expect(batches.flat()).toHaveLength(5000);
  expect(await ask(2)).toBe(4);
});

test('a batch without an answer for each is none', async () => {
  const ask = createBatcher<number, number>({
    many: async ([first = 0]) => [first],
    one: async (item) => item * 10,
  });
  expect(await Promise.all([1, 2].map(ask))).toEqual([10, 20]);
});

/** As the driver says it of a server that is going down. */
const away = Object.assign(new Error('terminating connection'), { code: '57P01' });

test('once one alone finds the database away, all that wait fail with it, and later ones are tried', async () => {
  const tried: (readonly number[])[] = [];
  let isAway = true;
  const ask = createBatcher<number, number>({
    max: 3,
    async many(items) {
      tried.push(items);
      if (isAway) throw away;
      return items;
    },
  });
  const ended = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map(ask));
  expect(ended.map((end) => Reflect.get(end, 'reason'))).toEqual(Array(7).fill(away));
  expect(tried).toEqual([[1, 2, 3], [1]]);
  isAway = false;
  expect(await Promise.all([8, 9].map(ask))).toEqual([8, 9]);
});

test('a connection that is cut under a batch fails none of it, and none of those behind it', async () => {
  const cutOnce = (max: number) => {
    let isCut = true;
    return createBatcher<number, number>({
      max,
      async many(items) {
        if (!isCut) return items;
        isCut = false;
        throw away;
      },
    });
  };
  expect(await Promise.all([1, 2, 3].map(cutOnce(2)))).toEqual([1, 2, 3]);
  const ended = await Promise.allSettled([1, 2].map(cutOnce(1)));
  expect(ended).toEqual([
    { status: 'rejected', reason: away },
    { status: 'fulfilled', value: 2 },
  ]);
});
