import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { jobsBench } from '#test/jobs.ts';
import { gate } from '#test/waiting.ts';
import { createLog } from '../log.ts';
import { defineEffect, type Effect } from './effect.ts';
import { createEffects, type Effects } from './effects.ts';
import { done, type Outcome, refused, unknown } from './outcome.ts';

const bench = jobsBench();

/** Somebody outside, who remembers what they were called for. */
interface Outside {
  readonly heard: string[];
  /** What they answer, in turn; what they have heard counts whatever they answer. */
  readonly answers: Outcome<string>[];
  readonly lookUps: Outcome<string | undefined>[];
}

const ended: string[] = [];
const outside = (): Outside => ({ heard: [], answers: [], lookUps: [] });

const payout = (there: Outside, over: Partial<Effect<string, string, string>> = {}) =>
  defineEffect<string, string, string>({
    kind: `payout-${randomUUID().slice(0, 8)}`,
    open: async (_, id) => id,
    async call(row, { secret }) {
      there.heard.push(`${row} ${secret ?? '-'}`);
      return there.answers.shift() ?? done('paid');
    },
    lookUp: async () => there.lookUps.shift() ?? done(undefined),
    async settle(_, row, value) {
      ended.push(`${row} ${value}`);
    },
    async refuse(_, row, why) {
      ended.push(`${row} ${why.code}`);
      return undefined;
    },
    repeatable: false,
    ...(over.repeatable !== true && { unseen: { forMs: 900_000, code: 'NOT_SEEN' } }),
    ...over,
  });

function start(effect: Effect<string, string, string>): {
  effects: Effects;
  drain(): Promise<unknown>;
} {
  const jobs = bench.instance([]);
  const effects = createEffects({
    db: bench.db(),
    jobs,
    clock: bench.clock,
    log: createLog('silent'),
  });
  effects.register([effect]);
  return { effects, drain: () => jobs.drain() };
}

test('what is answered is booked once, and nothing is left to follow up', async () => {
  const there = outside();
  const effect = payout(there);
  const { effects, drain } = start(effect);
  const id = randomUUID();
  await drain();
  const intent = await transact(bench.db(), (tx) => effects.begin(tx, effect, id));
  expect(await effects.drive(effect, id, { intent, secret: 'pan' })).toEqual({
    state: 'settled',
    value: 'paid',
  });
  expect(there.heard).toEqual([`${id} pan`]);
  expect(ended.filter((line) => line.startsWith(id))).toEqual([`${id} paid`]);
  expect(await run(bench.db(), `select id from jobs where key = $1`, [id])).toEqual([]);
  expect(await effects.drive(effect, id)).toEqual({ state: 'settled' });
  expect(await effects.find(bench.db(), effect.kind, id)).toMatchObject({
    state: 'SETTLED',
    calls: 1,
  });
});

test('a call without an answer is never made again, and looked up until that is certain', async () => {
  const there = outside();
  const effect = payout(there);
  const { effects, drain } = start(effect);
  const id = randomUUID();
  await drain();
  there.answers.push(unknown('ETIMEDOUT'));
  there.lookUps.push(unknown('ETIMEDOUT'));
  const intent = await transact(bench.db(), (tx) => effects.begin(tx, effect, id));
  expect(await effects.drive(effect, id, { intent })).toEqual({
    state: 'open',
    cause: 'ETIMEDOUT',
  });
  there.lookUps.push(done('paid late'));
  bench.clock.advance(61_000);
  expect(await effects.drive(effect, id)).toEqual({ state: 'settled', value: 'paid late' });
  expect(there.heard).toHaveLength(1);
  expect((await effects.stats(bench.db())).filter(({ kind }) => kind === effect.kind)).toEqual([]);
});

test('what is never seen ends as refused, but not before it may be given up', async () => {
  const there = outside();
  const effect = payout(there);
  const { effects, drain } = start(effect);
  const id = randomUUID();
  await drain();
  there.answers.push(unknown('ECONNRESET'));
  const intent = await transact(bench.db(), (tx) => effects.begin(tx, effect, id));
  expect(await effects.drive(effect, id, { intent })).toMatchObject({ state: 'open' });
  bench.clock.advance(800_000);
  expect(await effects.drive(effect, id)).toMatchObject({ state: 'open' });
  bench.clock.advance(200_000);
  expect(await effects.drive(effect, id)).toMatchObject({
    state: 'refused',
    why: { code: 'NOT_SEEN' },
  });
  expect(ended.filter((line) => line.startsWith(id))).toEqual([`${id} NOT_SEEN`]);
});

test('an exclusive effect is one attempt’s at a time, and only that one may refuse it', async () => {
  const there = outside();
  const effect = payout(there, { isExclusive: true, repeatable: true });
  const { effects, drain } = start(effect);
  const id = randomUUID();
  await drain();
  const intent = await transact(bench.db(), (tx) =>
    effects.begin(tx, effect, id, { owner: 'request 1' }),
  );
  expect(await effects.drive(effect, id, { owner: 'request 2' })).toMatchObject({ state: 'open' });
  there.answers.push(unknown('hangs'));
  const taken = await effects.drive(effect, id, { owner: 'request 1' });
  expect(taken).toMatchObject({ state: 'open' });
  there.answers.push(refused('DECLINED', 'no'));
  expect(await effects.drive(effect, id, { intent })).toMatchObject({ state: 'open' });
  expect(await effects.drive(effect, id, { owner: 'request 2' })).toMatchObject({
    state: 'settled',
  });
});

test('several are begun as one would be, and those that stand already are left alone', async () => {
  const there = outside();
  const effect = payout(there);
  const { effects, drain } = start(effect);
  const [stands, fresh, other] = [randomUUID(), randomUUID(), randomUUID()];
  await drain();
  await transact(bench.db(), (tx) => effects.begin(tx, effect, stands));
  const ids = [stands, fresh, other];
  const intents = await transact(bench.db(), (tx) => effects.beginAll(tx, effect, ids));
  expect([...intents.keys()].sort()).toEqual([fresh, other].sort());
  const jobs = await run<{ id: string }>(
    bench.db(),
    `select key as id from jobs where name = $1 and state = 'waiting'`,
    [`effect.${effect.kind}`],
  );
  expect(jobs.map(({ id }) => id).sort()).toEqual([...ids].sort());
  for (const id of [fresh, other])
    expect(await effects.drive(effect, id, { intent: intents.get(id), secret: id })).toMatchObject({
      state: 'settled',
    });
  expect(there.heard.sort()).toEqual([`${fresh} ${fresh}`, `${other} ${other}`].sort());
  expect(await transact(bench.db(), (tx) => effects.beginAll(tx, effect, ids))).toEqual(new Map());
});

test('what is done after it was given up is not booked, and is open to whoever has called', async () => {
  const there = outside();
  const called = gate();
  const effect = payout(there, {
    async call(row) {
      there.heard.push(row);
      await called.pass();
      return done('paid');
    },
  });
  const { effects, drain } = start(effect);
  const id = randomUUID();
  await drain();
  const intent = await transact(bench.db(), (tx) => effects.begin(tx, effect, id));
  const driving = effects.drive(effect, id, { intent });
  await called.reached;
  bench.clock.advance(1_000_000);
  expect(await effects.drive(effect, id)).toMatchObject({ state: 'refused' });
  called.open();
  expect(await driving).toMatchObject({
    state: 'open',
    cause: expect.stringContaining('given up'),
  });
  expect(ended.filter((line) => line.startsWith(id))).toEqual([`${id} NOT_SEEN`]);
});
