import { afterEach, expect, test, vi } from 'vitest';
import { createWindows } from './windows.ts';

afterEach(() => {
  vi.useRealTimers();
});

const kind = { name: 'thing', seconds: 60 };
const minute = (id: string) => ({ kind, id });

test('each thing is counted by itself, at once, and can be taken back', () => {
  const windows = createWindows();
  const used = (names: string[], times: 1 | -1 = 1) =>
    windows.add(names.map(minute), times).map((count) => count.used);
  expect(used(['a', 'b'])).toEqual([1, 1]);
  expect(used(['b', 'a', 'c'])).toEqual([2, 2, 1]);
  expect(used(['b'], -1)).toEqual([1]);
  expect(used(['never counted'], -1)).toEqual([0]);
  expect(used(['b'])).toEqual([2]);
});

test('a window has its length from the first time on, and then begins anew', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const windows = createWindows();
  const add = () => windows.add([minute('a')], 1)[0];
  expect(add()).toEqual({ kind, used: 1, msLeft: 60_000 });
  vi.advanceTimersByTime(59_999);
  expect(add()).toEqual({ kind, used: 2, msLeft: 1 });
  vi.advanceTimersByTime(1);
  expect(add()).toEqual({ kind, used: 1, msLeft: 60_000 });
});

test('what is counted is forgotten with its window, and the oldest where there is too much', () => {
  const windows = createWindows();
  const add = (name: string) => windows.add([minute(name)], 1)[0]?.used;
  add('the first');
  expect(add('the first')).toBe(2);
  for (let n = 0; n < 200_000; n += 1) add(`address ${n}`);
  expect(add('the first')).toBe(1);
  expect(add('address 199999')).toBe(2);
});
