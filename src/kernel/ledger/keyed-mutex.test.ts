import { expect, test } from 'vitest';
import { createKeyedMutex } from './keyed-mutex.ts';

/** Work that ends when told, and notes when it began. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      begun.push(name);
      ends.set(name, resolve);
    });
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

test('postings that share an account go one after the other, others at once', async () => {
  const { begun, work, end } = works();
  const inTurn = createKeyedMutex();
  const first = inTurn([1, 2], work('first'));
  const second = inTurn([2, 3], work('second'));
  const apart = inTurn([4, 5], work('apart'));
  await Promise.resolve();
  expect(begun).toEqual(['first', 'apart']);
  end('first');
  await first;
  await expect.poll(() => begun).toEqual(['first', 'apart', 'second']);
  end('second');
  end('apart');
  await Promise.all([second, apart]);
});

test('work that fails leaves the turn to the next', async () => {
  const inTurn = createKeyedMutex();
  const broken = inTurn([1], () => Promise.reject(new Error('broken')));
  const next = inTurn([1], async () => 'done');
  await expect(broken).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('the wait for a turn is bounded, so two of them never wait for each other', async () => {
  const { work, end } = works();
  const inTurn = createKeyedMutex();
  const stuck = inTurn([1], work('stuck'));
  expect(await inTurn([1], async () => 'went ahead')).toBe('went ahead');
  end('stuck');
  await stuck;
});
