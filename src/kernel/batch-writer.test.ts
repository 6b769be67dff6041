import { expect, test } from 'vitest';
import { createBatchWriter } from './batch-writer.ts';

function writerOf(write: (batch: readonly number[]) => Promise<void>) {
  let left = 0;
  const warned: string[] = [];
  const writer = createBatchWriter<number>({
    what: 'numbers',
    batchMax: 2,
    waitingMax: 5,
    write,
    dropped: (count) => {
      left += count;
    },
    log: { warn: (_: unknown, text?: unknown) => void warned.push(String(text)) },
  });
  return { ...writer, warned, left: () => left };
}

test('after a flush all rows that were added before are written, in order', async () => {
  const batches: (readonly number[])[] = [];
  const writer = writerOf(async (batch) => {
    await Promise.resolve();
    batches.push(batch);
  });
  for (const n of [1, 2, 3]) writer.add(n);
  const first = writer.flush();
  writer.add(4);
  await Promise.all([first, writer.flush()]);
  expect(batches.flat()).toEqual([1, 2, 3, 4]);
  expect(batches.every(({ length }) => length <= 2)).toBe(true);
  expect(writer.left()).toBe(0);
});

test('rows beyond the limit are left out and counted', async () => {
  const written: number[] = [];
  const writer = writerOf(async (batch) => void written.push(...batch));
  for (let n = 1; n <= 8; n += 1) writer.add(n);
  await writer.flush();
  expect([written, writer.left()]).toEqual([[1, 2, 3, 4, 5], 3]);
});

test('a batch that cannot be written is counted, and the next one is tried', async () => {
  const written: number[] = [];
  let isAway = true;
  const writer = writerOf(async (batch) => {
    if (isAway) throw new Error('away');
    written.push(...batch);
  });
  writer.add(1);
  await writer.flush();
  isAway = false;
  writer.add(2);
  await writer.flush();
  expect([written, writer.left(), writer.warned]).toEqual([[2], 1, ['numbers are not written']]);
});
