import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createObjectQueues } from './delivery/object-queues.ts';
import { createPacing } from './delivery/pacing.ts';
import { describeSchedule, nextProbe, nextTry, SCHEDULE_S } from './schedule.ts';

const now = new Date('2026-11-22T03:00:00Z');
const secondsTo = (at: Date | undefined) => at && (at.getTime() - now.getTime()) / 1000;
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test('tries come as the guide says', () => {
  const guide = readFileSync('docs/webhooks.md', 'utf8').replace(/\s+/g, ' ');
  expect(guide).toContain(describeSchedule());
  expect(SCHEDULE_S.slice(1).reduce((sum, seconds) => sum + seconds, 0) / 3600).toBeCloseTo(
    75.6,
    1,
  );
});

test('each comes a fifth sooner or later at the most, and after the last there is none', () => {
  for (const [tries, seconds] of SCHEDULE_S.entries()) {
    expect(secondsTo(nextTry(tries, now, () => 0))).toBe(seconds * 0.8);
    expect(secondsTo(nextTry(tries, now, () => 1))).toBe(seconds * 1.2);
  }
  expect(nextTry(SCHEDULE_S.length, now)).toBeUndefined();
});

test('probes come ever more rarely, down to one each half hour', () => {
  const waits = [0, 1, 2, 3, 4, 5, 50].map((probes) => secondsTo(nextProbe(probes, now)));
  expect(waits).toEqual([5, 30, 120, 600, 1800, 1800, 1800]);
});

test('no second has more requests than an endpoint wants', () => {
  const pacing = createPacing({ concurrency: 8, rate_limit: 3 });
  const taken = [0, 0.2, 0.4, 0.6, 1, 1.1, 1.2, 1.3].map((seconds) => pacing.take(at(seconds)));
  expect(taken).toEqual([true, true, true, false, true, true, true, false]);
  expect(createPacing({ concurrency: 8, rate_limit: null }).take(now)).toBe(true);
});

test('what is overloaded gets half at a time, and more again as it takes it', () => {
  const pacing = createPacing({ concurrency: 8, rate_limit: null });
  pacing.overloaded(now);
  pacing.overloaded(at(60));
  expect([pacing.limit, pacing.isResting(at(59)), pacing.isResting(at(60))]).toEqual([
    2,
    true,
    false,
  ]);
  for (let n = 0; n < 20; n += 1) pacing.overloaded(now);
  expect(pacing.limit).toBe(1);
  for (let n = 0; n < 200; n += 1) pacing.succeeded();
  expect(pacing.limit).toBe(8);
});

test('of each lane only the first is due, and the next when that is gone', () => {
  const row = (position: number, lane: string, next_at: string | null) => ({
    position,
    lane,
    attempt: 1,
    next_at,
  });
  const first = row(1, 'a', now.toISOString());
  const queues = createObjectQueues([row(3, 'a', null), first, row(2, 'b', at(60).toISOString())]);
  expect(queues.due(at(-1))).toEqual([]);
  expect(queues.due(now)).toEqual([first]);
  expect(queues.due(at(60)).map(({ position }) => position)).toEqual([1, 2]);
  expect(queues.remove(first)).toEqual(row(3, 'a', null));
  expect([queues.size, queues.holds('a'), queues.has(3, 'a'), queues.has(1, 'a')]).toEqual([
    2,
    true,
    true,
    false,
  ]);
  expect(queues.oldest()?.position).toBe(2);
});
