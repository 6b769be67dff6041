import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

/** Work that ends when it is told to, and the order in which it was let in. */
function workshop(width: number, waitingMax: number) {
  const gate = createSemaphore(width, waitingMax);
  const entered: string[] = [];
  const endings: (() => void)[] = [];
  const ask = (name: string, from: string): Promise<string> =>
    gate(async () => {
      entered.push(name);
      await new Promise<void>((resolve) => endings.push(resolve));
      return name;
    }, from).catch((error: { code: string }) => error.code);
  const endAll = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      endings.shift()?.();
      await new Promise(setImmediate);
    }
  };
  return { ask, entered, endAll };
}

test('no more than the width run at once, and all are let in in the end', async () => {
  const { ask, entered, endAll } = workshop(2, 10);
  const all = [1, 2, 3, 4, 5].map((n) => ask(`a${n}`, 'a'));
  await new Promise(setImmediate);
  expect(entered).toEqual(['a1', 'a2']);
  await endAll(5);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
});

test('a flood from one place is passed by those who come from elsewhere', async () => {
  const { ask, entered, endAll } = workshop(1, 100);
  const all = Array.from({ length: 50 }, (_, n) => ask(`flood${n}`, 'flood'));
  all.push(ask('b', 'b'), ask('c', 'c'), ask('c2', 'c'));
  await endAll(53);
  await Promise.all(all);
  expect(entered.slice(0, 7)).toEqual(['flood0', 'flood1', 'b', 'c', 'flood2', 'c2', 'flood3']);
});

test('where the room is full the flood gives way, and is refused itself', async () => {
  const { ask, endAll } = workshop(1, 10);
  const flood = Array.from({ length: 12 }, (_, n) => ask(`flood${n}`, 'flood'));
  const others = [ask('b', 'b'), ask('c', 'c')];
  await endAll(11);
  expect(await Promise.all(others)).toEqual(['b', 'c']);
  const told = await Promise.all(flood);
  expect(told.filter((word) => word === 'OVERLOADED')).toHaveLength(3);
});

test('a place that fails leaves room for the next', async () => {
  const gate = createSemaphore(1, 1);
  const broken = gate(() => Promise.reject(new Error('broken')));
  const next = gate(async () => 'next');
  await expect(broken).rejects.toThrow('broken');
  expect(await next).toBe('next');
});
