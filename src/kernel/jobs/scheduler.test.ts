import { beforeEach, expect, test } from 'vitest';
import { jobsBench } from '#test/jobs.ts';
import { sent } from '#test/statements.ts';
import { defineSchedule } from './job.ts';

const { instance, forward, clock } = jobsBench();
const HOUR_MS = 3_600_000;
// Well after a full hour and minute: one that begins while a test looks for the first time would be due at once.
beforeEach(() => clock.advance(HOUR_MS + 5000 - (clock.now().getTime() % HOUR_MS)));

test('a schedule runs once per due time over two instances, and once for all it has missed', async () => {
  const dues: string[] = [];
  const hourly = defineSchedule({
    name: 't.hourly',
    cron: '0 * * * *',
    timezone: 'Asia/Jakarta',
    run: async ({ due }) => void dues.push(due.toISOString()),
  });
  const [a, b] = [instance([], [hourly]), instance([], [hourly])];
  await Promise.all([a.drain(), b.drain()]);
  expect(dues).toEqual([]);

  clock.advance(3_600_000);
  await Promise.all([a.drain(), b.drain()]);
  expect(dues).toHaveLength(1);
  expect(dues[0]).toMatch(/:00:00.000Z$/);

  await forward(a, 10 * 3_600_000);
  await Promise.all([a.drain(), b.drain()]);
  expect(dues).toHaveLength(2);
});

test('a run that is tried once leaves no dead letter: the next one makes up for it', async () => {
  const broken = () => Promise.reject(new Error('not now'));
  const each = { cron: '* * * * *', run: broken };
  const schedules = [
    defineSchedule({ name: 't.once', attempts: 1, ...each }),
    defineSchedule({ name: 't.often', attempts: 2, ...each }),
  ];
  const jobs = instance([], schedules);
  await jobs.drain();
  for (let minute = 0; minute < 3; minute += 1) {
    await forward(jobs, 60_000);
    await jobs.drain();
  }
  expect((await jobs.stats()).dead).toEqual({ 't.often': 1 });
});

test('a changed schedule is due by its new times', async () => {
  const at = (cron: string, seen: string[]) =>
    defineSchedule({ name: 't.change', cron, run: async () => void seen.push(cron) });
  const seen: string[] = [];
  await instance([], [at('0 0 1 1 *', seen)]).drain();
  const changed = instance([], [at('* * * * *', seen)]);
  await changed.drain();
  await forward(changed, 60_000);
  await changed.drain();
  expect(seen).toEqual(['* * * * *']);
});

test('however many schedules there are, all are noted and moved on together', async () => {
  const ran: string[] = [];
  const schedules = Array.from({ length: 40 }, (_, i) =>
    defineSchedule({
      name: `t.many-${i}`,
      cron: '* * * * *',
      run: async () => void ran.push(`t.many-${i}`),
    }),
  );
  const from = sent.length;
  const ofSchedules = () => sent.slice(from).filter((text) => text.includes('job_schedules'));
  const jobs = instance([], schedules);
  await jobs.drain();
  expect(ofSchedules()).toHaveLength(2);
  clock.advance(60_000);
  await jobs.drain();
  expect(ofSchedules()).toHaveLength(3);
  expect(new Set(ran).size).toBe(40);
});

test('whoever measures what runs by the clock finds every schedule that is known', () => {
  const nightly = defineSchedule({ name: 't.nightly', cron: '0 3 * * *', run: async () => {} });
  const jobs = instance([], [nightly]);
  expect(jobs.schedules()).toEqual([nightly]);
});
