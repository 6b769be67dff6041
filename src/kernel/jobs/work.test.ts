import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { jobsBench } from '#test/jobs.ts';
import { defineEffect } from '../effects/effect.ts';
import { createEffects } from '../effects/effects.ts';
import { unknown } from '../effects/outcome.ts';
import { createLog } from '../log.ts';
import { defineJob } from './job.ts';
import { forgetWork, LOST_WORK, lostWork, stalledWork } from './work-store.ts';

const bench = jobsBench();
const DAY_MS = 86_400_000;

/** Ended and open ones, of which every hundredth has no job. */
async function fill(ended: number, open: number, kind: string): Promise<void> {
  await run(
    bench.db(),
    `insert into effects (kind, id, state, opened_at, ended_at)
     select $3, 'ended-' || n, 'SETTLED', service_now(), service_now() - n * interval '1 minute'
     from generate_series(1, $1::integer) n
     union all
     select $3, 'open-' || n, 'OPEN', service_now() - n * interval '1 minute', null
     from generate_series(1, $2::integer) n`,
    [ended, open, kind],
  );
  await run(
    bench.db(),
    `insert into jobs (name, data, key)
     select 'effect.' || $2, '{}', 'open-' || n
     from generate_series(1, $1::integer) n where n % 100 <> 0`,
    [open, kind],
  );
  await run(bench.db(), 'analyze effects', []);
  await run(bench.db(), 'analyze jobs', []);
}

const effectOf = (kind: string) =>
  defineEffect<string, string>({
    kind,
    repeatable: true,
    open: async (_, id) => id,
    call: async () => unknown('not yet'),
    settle: async () => undefined,
    refuse: async () => undefined,
  });

async function runner(kind: string) {
  const jobs = bench.instance([]);
  const deps = { db: bench.db(), jobs, clock: bench.clock, log: createLog('silent') };
  const effects = createEffects(deps);
  effects.register([effectOf(kind)]);
  await jobs.drain();
  return { jobs, effects };
}

test('the sweep reads the open ones only, however many have ended', async () => {
  await runner('swept');
  await fill(20_000, 2000, 'swept');
  const before = bench.clock.now();
  const found = await lostWork(bench.db(), ['effect.swept'], { before, limit: 500 });
  expect(found).toHaveLength(20);
  const plan = await run<{ 'QUERY PLAN': string }>(bench.db(), `explain ${LOST_WORK}`, [
    ['effect.swept'],
    before.toISOString(),
    500,
  ]);
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(text).toContain('effects_open');
  expect(text).not.toContain('Seq Scan on effects');
  await run(bench.db(), 'delete from effects', []);
});

test('what has ended is forgotten after ninety days, a batch at a time, and what is open never', async () => {
  const { jobs } = await runner('kept');
  await fill(2500, 10, 'kept');
  const count = async () =>
    (await run<{ id: string }>(bench.db(), 'select id from effects', [])).map(({ id }) => id);
  await bench.forward(jobs, 89 * DAY_MS);
  await jobs.drain();
  expect(await count()).toHaveLength(2510);
  // A run counts from when it was due, and one makes up for any number that were missed.
  for (let day = 0; day < 3; day += 1) {
    await bench.forward(jobs, DAY_MS);
    await jobs.drain();
  }
  const left = await count();
  expect(left.filter((id) => id.startsWith('ended'))).toEqual([]);
  expect(left).toHaveLength(10);
  const kept = { what: 'effect', kinds: ['kept'] } as const;
  expect(await forgetWork(bench.db(), kept, bench.clock.now(), 1)).toBe(0);
});

test('a job that takes on a row stalls it when every attempt has failed, and leaves no dead letter', async () => {
  const job = defineJob<object>({
    name: 'inbox.broken',
    attempts: 1,
    rows: { what: 'inbox', kind: 'broken', follow: async () => undefined },
    run: () => Promise.reject(new Error('no luck\u0000')),
  });
  const jobs = bench.instance([job]);
  const add = `insert into inbox (source, id, event) select 'broken', id, '{}' from unnest($1::text[]) id`;
  await run(bench.db(), add, [['now', 'before']]);
  await jobs.enqueue(bench.db(), job, {}, { key: 'now' });
  // As versions before the view `work` left it, when every attempt had failed.
  const left = `insert into jobs (name, key, data, state, error) values ($1, 'before', '{}', 'retrying', 'nor then')`;
  await run(bench.db(), left, ['inbox.broken.exhausted']);
  expect(await jobs.drain()).toMatchObject({ dead: 2, completed: 0 });
  expect(await stalledWork(bench.db(), 9)).toMatchObject([
    { what: 'inbox', kind: 'broken', error: expect.stringMatching(/no luck|nor then/) },
    { what: 'inbox', kind: 'broken', error: expect.stringMatching(/no luck|nor then/) },
  ]);
  expect((await jobs.stats()).dead).toEqual({});
  expect(await run(bench.db(), `select from jobs where name like 'inbox.%'`, [])).toEqual([]);
});
