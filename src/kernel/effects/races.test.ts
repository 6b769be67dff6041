import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { jobsBench } from '#test/jobs.ts';
import { gate } from '#test/waiting.ts';
import { createLog } from '../log.ts';
import { defineEffect, type Effect } from './effect.ts';
import { createEffects } from './effects.ts';
import { done, type Outcome, refused, unknown } from './outcome.ts';

const bench = jobsBench();
const HOUR_MS = 3_600_000;
type Call = Effect<string, string>;

/** An effect of one test's own, and what it was settled or refused with. */
async function open(over: Partial<Call> = {}) {
  const ended: string[] = [];
  const effect: Call = defineEffect<string, string>({
    kind: `race-${randomUUID().slice(0, 8)}`,
    open: async (_, id) => id,
    call: async () => done('done'),
    settle: async (_, __, value) => void ended.push(value),
    refuse: async (_, __, { code }) => void ended.push(code),
    repeatable: true,
    ...over,
  });
  const jobs = bench.instance([]);
  const effects = createEffects({
    db: bench.db(),
    jobs,
    clock: bench.clock,
    log: createLog('silent'),
  });
  effects.register([effect]);
  await jobs.drain();
  const begin = (id = 'e', options = {}) =>
    transact(bench.db(), (tx) => effects.begin(tx, effect, id, options));
  const forward = async (ms: number) => {
    await bench.forward(jobs, ms);
    await jobs.drain();
  };
  const find = (id = 'e') => effects.find(bench.db(), effect.kind, id);
  const jobsOf = (id = 'e') =>
    run<{ state: string }>(bench.db(), 'select state from jobs where key = $1', [id]);
  return { effect, effects, jobs, ended, begin, forward, find, jobsOf };
}

test('a late answer to what was told before does not end what is told now', async () => {
  const slow = gate();
  const answers = [
    async () => {
      await slow.pass();
      return done('first');
    },
    async () => done('first, again'),
    async () => done('second'),
  ];
  const call = async () => (await answers.shift()?.()) ?? unknown('nothing left');
  const { effect, effects, ended, begin, find, forward } = await open({ reopens: true, call });
  const late = effects.drive(effect, 'e', { intent: await begin() });
  await slow.reached;
  expect(await effects.drive(effect, 'e')).toMatchObject({ state: 'settled' });
  await begin('e', { left: {} });
  slow.open();
  expect(await late).toMatchObject({ state: 'open' });
  expect(await find()).toMatchObject({ state: 'OPEN', calls: 0 });
  await forward(0);
  expect(ended).toEqual(['first, again', 'second']);
});

test('a late refusal of what was told before does not end what is told now either', async () => {
  const slow = gate();
  let isFirst = true;
  const call = async (): Promise<Outcome<string>> => {
    if (!isFirst) return done('told');
    isFirst = false;
    await slow.pass();
    return refused('NO', 'no');
  };
  const { effect, effects, ended, begin, find } = await open({ reopens: true, call });
  const late = effects.drive(effect, 'e', { intent: await begin() });
  await slow.reached;
  await effects.drive(effect, 'e');
  await begin('e', { left: { at: new Date(bench.clock.now().getTime() + HOUR_MS) } });
  slow.open();
  expect(await late).toMatchObject({ state: 'open' });
  expect(await find()).toMatchObject({ state: 'OPEN' });
  expect(ended).toEqual(['told']);
});

test('what cannot be booked comes before a person, also where one attempt has it at a time', async () => {
  const broken = async () => Promise.reject(new Error('no such account'));
  const { begin, find, forward } = await open({ isExclusive: true, settle: broken });
  await begin('e', { left: {} });
  // As the pauses between its tries grow, and not a whole lease at a time.
  for (let n = 0; n < 14; n += 1) await forward(Math.min(5000 * 2 ** n, HOUR_MS));
  expect(await find()).toMatchObject({ state: 'OPEN', stalled_at: expect.any(String) });
});

test('an attempt that fails leaves the next one nothing to wait for', async () => {
  let isBroken = true;
  const settle = async () => {
    if (isBroken) throw new Error('broken');
  };
  const { effect, effects, begin, find } = await open({ isExclusive: true, settle });
  const intent = await begin();
  await expect(effects.drive(effect, 'e', { intent })).rejects.toThrow('broken');
  expect(await find()).toMatchObject({ attempt: null, calls: 1 });
  isBroken = false;
  expect(await effects.drive(effect, 'e')).toMatchObject({ state: 'settled' });
});

test('a call that was counted and threw is not made again where it may not be', async () => {
  let calls = 0;
  const call = async () => {
    calls += 1;
    throw new Error('a mistake of ours');
  };
  const lookUp = async () => done(undefined);
  const { effect, effects, begin, find } = await open({ repeatable: false, call, lookUp });
  const intent = await begin();
  await expect(effects.drive(effect, 'e', { intent })).rejects.toThrow('a mistake');
  expect(await effects.drive(effect, 'e')).toMatchObject({ state: 'open' });
  expect(calls).toBe(1);
  expect(await find()).toMatchObject({ state: 'OPEN', calls: 1 });
});

test('of a long story the first ten steps and the latest forty are kept', async () => {
  const silent = { call: async () => unknown('silent'), lookUp: async () => done(undefined) };
  const { effect, effects, begin, find } = await open(silent);
  await begin('e', { left: { at: new Date(bench.clock.now().getTime() + 100 * HOUR_MS) } });
  for (let n = 0; n < 30; n += 1) {
    bench.clock.advance(1000);
    await effects.drive(effect, 'e');
  }
  const row = await find();
  expect(row?.steps).toHaveLength(50);
  expect(row?.steps[0]).toMatchObject({ step: 'begin' });
  const times = row?.steps.map(({ at }) => at) ?? [];
  expect(times).toEqual(times.toSorted());
  expect(Date.parse(times[49] ?? '') - Date.parse(times[0] ?? '')).toBeGreaterThanOrEqual(30_000);
});

test.each([
  ['a sign that is cut in half', `${'x'.repeat(199)}\u{1F600} ${'y'.repeat(100)}\u{1F600}`],
  ['a sign cut in half at the end of the message', `${'x'.repeat(299)}\u{1F600}`],
  ['what no database takes', 'no\u0000thing \ud800 here'],
])('whatever a counterparty says is booked, such as %s', async (_, message) => {
  const { effect, effects, begin, find } = await open({ call: async () => refused('', message) });
  expect(await effects.drive(effect, 'e', { intent: await begin() })).toMatchObject({
    state: 'refused',
  });
  expect(await find()).toMatchObject({ state: 'REFUSED', code: 'REFUSED' });
});

test('what stays in doubt is written down whatever the counterparty says', async () => {
  const { effect, effects, begin, find } = await open({
    call: async () => unknown(`${'x'.repeat(199)}\u{1F600}\u0000`),
  });
  expect(await effects.drive(effect, 'e', { intent: await begin() })).toMatchObject({
    state: 'open',
  });
  expect((await find())?.steps).toHaveLength(2);
});

test('what was done after it had been given up is on its row, for people', async () => {
  const slow = gate();
  const call = async () => {
    await slow.pass();
    return done('late');
  };
  const { effect, effects, ended, begin, find } = await open({
    call,
    repeatable: false,
    lookUp: async () => done(undefined),
    unseen: { forMs: 2 * HOUR_MS, code: 'NOT_SEEN' },
  });
  const late = effects.drive(effect, 'e', { intent: await begin() });
  await slow.reached;
  bench.clock.advance(3 * HOUR_MS);
  expect(await effects.drive(effect, 'e')).toMatchObject({ state: 'refused' });
  slow.open();
  expect(await late).toMatchObject({ state: 'open' });
  expect(ended).toEqual(['NOT_SEEN']);
  const row = await find();
  expect(row).toMatchObject({ state: 'REFUSED', code: 'NOT_SEEN' });
  expect(row?.steps.at(-1)).toMatchObject({ step: 'call', outcome: 'done' });
});

test('what is called long after it was begun is not given up while that call is on its way', async () => {
  const slow = gate();
  const call = async () => {
    await slow.pass();
    return done('done');
  };
  const { effect, effects, ended, begin, find } = await open({
    call,
    repeatable: false,
    lookUp: async () => done(undefined),
    unseen: { forMs: 2 * HOUR_MS, code: 'NOT_SEEN' },
  });
  await begin('e', { left: { at: new Date(bench.clock.now().getTime() + 9 * HOUR_MS) } });
  bench.clock.advance(3 * HOUR_MS);
  const first = effects.drive(effect, 'e');
  await slow.reached;
  expect(await effects.drive(effect, 'e')).toMatchObject({ state: 'open' });
  slow.open();
  expect(await first).toMatchObject({ state: 'settled' });
  expect(ended).toEqual(['done']);
  expect(await find()).toMatchObject({ state: 'SETTLED', calls: 1 });
});

test('that it was not seen holds for when it was asked, however late whoever has asked goes on', async () => {
  const [slow, suspended] = [gate(), gate()];
  let isThere = false;
  const call = async () => {
    await slow.pass();
    isThere = true;
    return done('done');
  };
  const lookUp = async () => {
    const found = done(isThere ? 'done' : undefined);
    await suspended.pass();
    return found;
  };
  const { effect, effects, ended, begin } = await open({
    call,
    lookUp,
    repeatable: false,
    unseen: { forMs: 2 * HOUR_MS, code: 'NOT_SEEN' },
  });
  const first = effects.drive(effect, 'e', { intent: await begin() });
  await slow.reached;
  bench.clock.advance(HOUR_MS);
  const late = effects.drive(effect, 'e');
  await suspended.reached;
  bench.clock.advance(2 * HOUR_MS);
  suspended.open();
  expect(await late).toMatchObject({ state: 'open' });
  slow.open();
  expect(await first).toMatchObject({ state: 'settled' });
  expect(ended).toEqual(['done']);
});

test('what was called long after it was begun is given up that long after the call', async () => {
  const { effect, effects, ended, begin } = await open({
    repeatable: false,
    call: async () => unknown('no answer'),
    lookUp: async () => done(undefined),
    unseen: { forMs: 2 * HOUR_MS, code: 'NOT_SEEN' },
  });
  await begin('e', { left: { at: new Date(bench.clock.now().getTime() + 9 * HOUR_MS) } });
  for (const state of ['open', 'open', 'refused']) {
    bench.clock.advance(HOUR_MS);
    expect(await effects.drive(effect, 'e')).toMatchObject({ state });
  }
  expect(ended).toEqual(['NOT_SEEN']);
});

test('a call that would begin too late is left to the job, which calls it again or looks it up', async () => {
  const calls: string[] = [];
  const call = async (row: string) => {
    calls.push(row);
    return done('done');
  };
  const { effect, effects, begin, find, forward } = await open({ call });
  const intent = await begin();
  bench.clock.advance(45_000);
  expect(await effects.drive(effect, 'e', { intent })).toMatchObject({ state: 'open' });
  expect(calls).toEqual([]);
  await forward(60_000);
  expect(await find()).toMatchObject({ state: 'SETTLED' });
  expect(calls).toEqual(['e']);
});

test('one that is woken while its job looks is looked at once more', async () => {
  const slow = gate();
  const answers = [
    async () => {
      await slow.pass();
      return unknown('not yet');
    },
    async () => done('now'),
  ];
  const call = async () => (await answers.shift()?.()) ?? unknown('nothing left');
  const { effect, effects, jobs, begin, find, jobsOf } = await open({ call });
  await begin('e', { left: {} });
  const draining = jobs.drain();
  await slow.reached;
  expect(await effects.wake(bench.db(), effect.kind, 'e')).toBe(true);
  slow.open();
  await draining;
  expect(await find()).toMatchObject({ state: 'SETTLED', calls: 2 });
  expect((await jobsOf()).filter(({ state }) => state === 'waiting')).toEqual([]);
});

test('what is begun anew while the job of its last time still runs has a job of its own', async () => {
  const { effect, effects, jobs, begin, find, jobsOf } = await open({
    reopens: true,
    async settle() {
      await again.pass();
    },
  });
  const again = gate();
  await begin('e', { left: {} });
  const draining = jobs.drain();
  await again.reached;
  const begun = begin('e', { left: { at: new Date(bench.clock.now().getTime() + HOUR_MS) } });
  again.open();
  expect(await begun).toBeDefined();
  await draining;
  expect(await find()).toMatchObject({ state: 'OPEN', calls: 0 });
  expect((await jobsOf()).filter(({ state }) => state === 'waiting')).toHaveLength(1);
  expect(await effects.drive(effect, 'e')).toMatchObject({ state: 'settled' });
  expect((await jobsOf()).filter(({ state }) => state === 'waiting')).toEqual([]);
});

test('waking and ending at the same moment leave neither a lost effect nor a lost job', async () => {
  const { effect, effects, begin, find, jobsOf } = await open();
  const ids = Array.from({ length: 20 }, (_, n) => `many-${n}`);
  const later = { left: { at: new Date(bench.clock.now().getTime() + HOUR_MS) } };
  for (const id of ids) await begin(id, later);
  await Promise.all(
    ids.flatMap((id) => [
      effects.drive(effect, id),
      transact(bench.db(), (tx) => effects.wake(tx, effect.kind, id)),
    ]),
  );
  for (const id of ids) {
    expect(await find(id)).toMatchObject({ state: 'SETTLED' });
    expect(await jobsOf(id)).toEqual([]);
  }
});

test('a name has up to 120 characters, and a longer one is refused with all that goes along', async () => {
  const { effect, effects, begin, find } = await open();
  const longest = 'x'.repeat(120);
  await begin(longest, { left: {} });
  expect(await effects.drive(effect, longest)).toMatchObject({ state: 'settled' });
  await expect(begin('x'.repeat(121), { left: {} })).rejects.toThrow('effects_id_check');
  expect(await find('x'.repeat(121))).toBeUndefined();
});

test('what could only fail later is refused where it is defined', () => {
  const base: Call = {
    kind: 'fine',
    open: async (_, id) => id,
    call: async () => done('done'),
    settle: async () => undefined,
    refuse: async () => undefined,
    repeatable: true,
  };
  const lookUp = async () => done(undefined);
  const unseen = { forMs: HOUR_MS, code: 'NOT_SEEN' };
  expect(() => defineEffect({ ...base, kind: 'x'.repeat(61) })).toThrow('not a name');
  expect(() => defineEffect({ ...base, kind: 'Upper' })).toThrow('not a name');
  expect(() => defineEffect({ ...base, repeatable: false })).toThrow('neither');
  expect(() => defineEffect({ ...base, lookUp, unseen })).toThrow('called again');
  expect(() =>
    defineEffect({ ...base, lookUp, repeatable: false, unseen: { ...unseen, forMs: 1000 } }),
  ).toThrow('may be at it');
});
