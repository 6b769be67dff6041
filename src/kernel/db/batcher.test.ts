import { expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';

/** Doubles numbers; refuses to do anything odd, and any batch with something odd in it. */
function doubler() {
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

test('of a batch that fails only what is wrong fails, for its own reason', async () => {
  const { ask, batches } = doubler();
  const ended = await Promise.allSettled([2, 3, 4].map(ask));
  expect(ended).toMatchObject([{ value: 4 }, { reason: { message: '3 is odd' } }, { value: 8 }]);
  expect(batches).toEqual([[2, 3, 4], [2], [3], [4]]);
  expect(await ask(10)).toBe(20);
});

test('a batch has a limit, and what is beyond it is the next', async () => {
  const { ask, batches } = doubler();
  const items = Array.from({ length: 150 }, (_, i) => i * 2);
  expect(await Promise.all(items.map(ask))).toEqual(items.map((item) => item * 2));
  expect(batches.map(({ length }) => length)).toEqual([64, 64, 22]);
});

test('whoever throws at once fails alone, and the next ones are done all the same', async () => {
  const ask = createBatcher<number, number>({
    many: async () => Promise.reject(new Error('not together')),
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
  const { ask, hold } = doubler();
  const { promise, resolve } = Promise.withResolvers<void>();
  hold(promise);
  const all = Array.from({ length: 5000 }, (_, i) => ask(i * 2));
  await expect(ask(2)).rejects.toMatchObject({ code: 'OVERLOADED', status: 503 });
  resolve();
  expect(await Promise.all(all)).toHaveLength(5000);
  expect(await ask(2)).toBe(4);
});

test('a batch without an answer for each is none', async () => {
  const ask = createBatcher<number, number>({
    many: async ([first = 0]) => [first],
    one: async (item) => item * 10,
  });
  expect(await Promise.all([1, 2].map(ask))).toEqual([10, 20]);
});
