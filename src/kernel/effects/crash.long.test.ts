import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { killWhereItHangs } from '#test/child.ts';
import { counterparty, type Manner } from '#test/counterparty.ts';
import { testDatabase } from '#test/database.ts';
import {
  ask,
  baseOf,
  beginWish,
  look,
  type Place,
  POINTS,
  type Point,
  SHAPES_SQL,
  type Shape,
  shapesOf,
  type Wish,
} from '#test/effect-shapes.ts';
import type { Orders, WishOrder } from '#test/effects-child.ts';
import { gate } from '#test/waiting.ts';
import { createJobs } from '../jobs/jobs.ts';
import { createLog } from '../log.ts';
import { defineEffect } from './effect.ts';
import { createEffects } from './effects.ts';
import { refused } from './outcome.ts';

const there = await counterparty();
const database = await testDatabase(SHAPES_SQL);
const { db, pool, close } = openDatabase(database.url);
const name = { asset: 'USD', purpose: 'wallet' } as const;
const accounts = {
  payer: await openAccount(db, { ...name, owner: 'user:1' }),
  house: await openAccount(db, { ...name, owner: 'house', mayGoNegative: true }),
};
const legs = transfer(accounts.house, accounts.payer, 1_000_000n);
await postWithin(db, { key: 'funds', kind: 'test', legs });

/** Where the test itself keeps an attempt waiting. */
const places = new Map<string, () => Promise<void>>();
const place: Place = {
  db,
  accounts,
  url: there.url,
  at: async (point, id) => places.get(`${point} ${id}`)?.(),
};
const clock = createClock();
const log = createLog('silent');
const jobs = createJobs({ pool, clock, log });
const effects = createEffects({ db, jobs, clock, log });
const shapes = shapesOf(place);
const controls = controlsOf();
effects.register([...Object.values(shapes), ...Object.values(controls)]);

afterAll(async () => {
  await jobs.stop(0);
  await close();
  await database.close();
  await there.close();
});

const MANNERS: readonly Manner[] = ['does', 'drops', 'mute', 'never', 'refuses'];
const DRIVERS = ['repetition', 'job', 'all at once'] as const;

interface Case {
  readonly id: string;
  readonly shape: string;
  readonly effect: Shape;
  readonly manner: Manner;
  readonly point: Point;
  readonly driver: (typeof DRIVERS)[number];
}

/** One is killed within the booking of each shape: those hold a connection of their process. */
const cases: Case[] = Object.entries(shapes).flatMap(([shape, effect]) =>
  POINTS.flatMap((point) =>
    MANNERS.flatMap((manner) =>
      DRIVERS.flatMap((driver) => {
        const isInBooking = point === 'booking' && (manner !== 'does' || driver !== 'all at once');
        const id = `${shape}-${point}-${manner}-${driver.replaceAll(' ', '-')}`;
        return isInBooking ? [] : [{ id, shape, effect, manner, point, driver }];
      }),
    ),
  ),
);

/** A secret is not there to be called with in a job, and to reopen is a matter of beginning only. */
const NOT_BY_JOB = ['secret', 'reopening'];

/** One process runs no more at once. */
const AT_ONCE = 20;
/** Those that sign first can be killed before that. */
const SIGNS = ['exclusive', 'exclusiveOnce'];

/** What is driven by a job when that is killed. */
const jobCases: Case[] = Object.entries(shapes).flatMap(([shape, effect]) =>
  (['begun', 'calling', 'heard', 'booking'] as const).flatMap((point) => {
    const isReached = !NOT_BY_JOB.includes(shape) && (point !== 'begun' || SIGNS.includes(shape));
    const manner = point === 'heard' ? 'drops' : 'does';
    const id = `job-${shape}-${point}`;
    return isReached ? [{ id, shape, effect, manner, point, driver: 'job' as const }] : [];
  }),
);

const orderOf = ({ id, shape, manner, point }: Case, by: WishOrder['by']): WishOrder => ({
  id,
  shape,
  manner,
  point,
  by,
});

async function forward(ms: number): Promise<void> {
  clock.advance(ms);
  await jobs.advance(ms);
}

/** Drives as a repetition of the request does, by the same owner. */
const repeat = ({ effect, id }: Pick<Case, 'effect' | 'id'>) =>
  effects.drive(effect, id, { secret: 'known to the request', owner: id });

interface Seen {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly calls: number;
  readonly steps: { step: string }[];
  readonly status: string;
  readonly time: number;
  readonly keys: string[];
  readonly jobs: number;
}

/** Everything that there is about the effects, and what is wrong with it. */
async function faults(): Promise<string[]> {
  const seen = await run<Seen>(
    db,
    `select e.id, e.kind, e.state, e.calls, e.steps, w.status, w.time,
       (select coalesce(array_agg(t.operation_key), '{}') from ledger.transfers t
        where t.operation_key like e.id || '.' || w.time || ':%') as keys,
       (select count(*) from jobs j where j.name = 'effect.' || e.kind
          and j.key = e.id and j.state <> 'dead') as jobs
     from effects e join wishes w using (id)`,
    [],
  );
  const known = new Map(seen.map((one) => [`${one.id}.${one.time}`, one]));
  const orphans = [...there.did.keys()]
    .filter((reference) => !known.has(reference) && !known.has(reference.replace(/\.1$/, '.2')))
    .map((reference) => `${reference} was done and nobody knows of it`);
  return [...orphans, ...seen.flatMap(wrongWith)];
}

const STATUS: Record<string, string> = { OPEN: 'PENDING', SETTLED: 'DONE', REFUSED: 'FAILED' };
const POSTED: Record<string, string[]> = {
  OPEN: ['hold'],
  SETTLED: ['hold', 'paid'],
  REFUSED: ['back', 'hold'],
};

function wrongWith(one: Seen): string[] {
  const { id, state, calls, steps, status, time } = one;
  const did = there.did.get(`${id}.${time}`)?.length ?? 0;
  const posted = one.keys.map((key) => key.slice(key.lastIndexOf(':') + 1)).sort();
  const rules: [holds: boolean, otherwise: string][] = [
    [did <= 1, `was done ${did} times`],
    [state !== 'SETTLED' || did > 0, 'is settled and was not done'],
    [state !== 'REFUSED' || did === 0, 'is refused and was done'],
    [did === 0 || calls > 0, 'was done and no call was counted'],
    [status === STATUS[state], `is ${state} and its row says ${status}`],
    [`${posted}` === `${POSTED[state]}`, `is ${state} and has posted ${posted}`],
    [state !== 'OPEN' || one.jobs > 0, 'is open and nobody follows it up'],
    [steps[0]?.step === 'begin', 'does not tell how it began'],
    [state === 'OPEN' || steps.length > 1, 'does not tell how it ended'],
  ];
  return rules.flatMap(([holds, otherwise]) => (holds ? [] : [`${id} ${otherwise}`]));
}

/** How it has to end, whoever drives it. */
function expected({ effect, manner, point }: Case): string {
  if (manner === 'refuses') return 'REFUSED';
  if (effect.repeatable) return 'SETTLED';
  const hasLeft = point !== 'begun' && point !== 'calling';
  return hasLeft && manner !== 'never' ? 'SETTLED' : 'REFUSED';
}

const statesOf = async (some: readonly Case[]) => {
  const rows = await run<{ id: string; state: string }>(db, 'select id, state from effects', []);
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  return some.map(({ id }) => [id, states.get(id)]);
};

test('killed at any point, and whoever goes on with it, what it was about happens once or never', async () => {
  const wishes = cases.map((one) => orderOf(one, 'request'));
  const orders: Orders = { databaseUrl: database.url, url: there.url, accounts, wishes };
  await killWhereItHangs('effects-child.ts', orders);
  expect(await faults()).toEqual([]);

  const by = (driver: Case['driver']) => cases.filter((one) => one.driver === driver);
  const repeated = by('repetition');
  for (let i = 0; i < repeated.length; i += 20)
    await Promise.all(repeated.slice(i, i + 20).map(repeat));
  expect(await faults()).toEqual([]);

  // Past the head start, so that jobs come, and whoever held a lease has lost it.
  await forward(61_000);
  const many = by('all at once').flatMap((one) => Array<Case>(10).fill(one));
  await Promise.all([jobs.drain(), ...many.map(repeat)]);
  expect(await faults()).toEqual([]);
  // What nobody can know yet has not ended, whoever has asked.
  const mute = cases.filter(({ manner }) => manner === 'mute');
  expect(await statesOf(mute)).toEqual(mute.map(({ id }) => [id, 'OPEN']));

  there.heal();
  for (let n = 0; n < 3; n += 1) {
    await forward(3_600_000);
    await jobs.drain();
  }
  expect(await faults()).toEqual([]);
  expect(await statesOf(cases)).toEqual(cases.map((one) => [one.id, expected(one)]));
  expect((await verifyLedger(db)).broken).toEqual([]);
});

test('killed in the job that drives it, another process goes on with it, and it happens once or never', async () => {
  const wishes = jobCases.map((one) => orderOf(one, 'job'));
  for (let i = 0; i < wishes.length; i += AT_ONCE) {
    const some = wishes.slice(i, i + AT_ONCE);
    const orders: Orders = { databaseUrl: database.url, url: there.url, accounts, wishes: some };
    await killWhereItHangs('effects-child.ts', orders);
  }
  expect(await faults()).toEqual([]);
  expect(await statesOf(jobCases)).toEqual(jobCases.map(({ id }) => [id, 'OPEN']));

  // The dead process's hold on its jobs lapses with its heartbeat.
  const other = createJobs({ pool, clock, log });
  createEffects({ db, jobs: other, clock, log }).register(Object.values(shapes));
  const silence = `update jobs set due_at = now() - interval '1 minute'
    where state = 'active' and name like 'effect.%'`;
  await run(db, silence, []);
  await other.start();
  for (let n = 0; n < 3; n += 1) {
    clock.advance(3_600_000);
    await other.advance(3_600_000);
    await other.drain();
  }
  await other.stop(0);
  expect(await faults()).toEqual([]);
  expect(await statesOf(jobCases)).toEqual(jobCases.map((one) => [one.id, expected(one)]));
  expect((await verifyLedger(db)).broken).toEqual([]);
});

test('what has ended and is begun anew happens once more', async () => {
  const again = cases.filter(({ effect }) => effect.reopens);
  for (const { effect, id, manner } of again) {
    const wish = { id, manner, time: 2 };
    expect(await beginWish(place, effects, { effect, wish, options: { left: {} } })).toBeDefined();
  }
  await jobs.drain();
  await forward(3_600_000);
  await jobs.drain();
  expect(await faults()).toEqual([]);
  // Nothing is killed this time, and the counterparty is healed.
  const end = ({ manner }: Case) => (manner === 'refuses' ? 'REFUSED' : 'SETTLED');
  expect(await statesOf(again)).toEqual(again.map((one) => [one.id, end(one)]));
  expect((await verifyLedger(db)).broken).toEqual([]);
});

/** Effects with a mistake in them each: the matrix has to find it. */
function controlsOf() {
  const base = baseOf(place);
  const lookUp = (wish: Wish) => look(place, wish);
  return {
    unpermitted: defineEffect<Wish, string, string>({
      ...base,
      kind: 'unpermitted',
      isExclusive: true,
      lookUp,
      async call(wish) {
        await place.at('begun', wish.id);
        return ask(place, wish, randomUUID());
      },
    }),
    hasty: defineEffect<Wish, string, string>({
      ...base,
      kind: 'hasty',
      async call(wish) {
        const outcome = await ask(place, wish, wish.id);
        return outcome.kind === 'unknown' ? refused('LOST', 'No answer') : outcome;
      },
    }),
    doubling: defineEffect<Wish, string, string>({
      ...base,
      kind: 'doubling',
      call: (wish) => ask(place, wish, randomUUID()),
    }),
  };
}

/** Begins one and drives it as its own request and as another one that takes it over meanwhile. */
async function overtaken(effect: Shape, id: string): Promise<string[]> {
  const slow = gate();
  places.set(`begun ${id}`, slow.pass);
  const wish: Wish = { id, manner: 'does', time: 1 };
  const intent = await beginWish(place, effects, { effect, wish });
  const late = effects.drive(effect, id, { intent });
  await slow.reached;
  places.delete(`begun ${id}`);
  clock.advance(61_000);
  expect(await effects.drive(effect, id)).toMatchObject({ state: 'settled' });
  slow.open();
  await late;
  return (await faults()).filter((fault) => fault.startsWith(id));
}

test('an attempt that has lost its lease signs nothing', async () => {
  expect(await overtaken(shapes['exclusive'] as Shape, 'late')).toEqual([]);
});

test('it would be found if it went on all the same', async () => {
  expect(await overtaken(controls.unpermitted, 'lawless')).toEqual(['lawless was done 2 times']);
});

test('it would be found if a call without an answer counted as refused', async () => {
  const wish: Wish = { id: 'hasty', manner: 'drops', time: 1 };
  const intent = await beginWish(place, effects, { effect: controls.hasty, wish });
  await effects.drive(controls.hasty, wish.id, { intent });
  expect(await faults()).toContainEqual('hasty is refused and was done');
});

test('it would be found if what the counterparty does anew each time were called again', async () => {
  const wish: Wish = { id: 'doubling', manner: 'drops', time: 1 };
  const intent = await beginWish(place, effects, { effect: controls.doubling, wish });
  await effects.drive(controls.doubling, wish.id, { intent });
  await effects.drive(controls.doubling, wish.id);
  expect(await faults()).toContainEqual('doubling was done 2 times');
});

test('it would be found if the call came before what is written down', async () => {
  await ask(place, { id: 'early', manner: 'does', time: 1 }, 'early');
  expect(await faults()).toContainEqual('early.1 was done and nobody knows of it');
});
