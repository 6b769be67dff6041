import type { Kysely } from 'kysely';
import { createClock } from '#kernel/clock.ts';
import { type OpenDatabase, openDatabase, run, runLast } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { defineJob } from '#kernel/jobs/job.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { createLog } from '#kernel/log.ts';
import { transact } from '#kernel/transact.ts';
import { compare, createMeter, interleave, type Size, type Variant } from './meter.ts';
import type { Place } from './place.ts';
import { atMost, type BenchRow } from './row.ts';

const CONNECTIONS = 4;
/** So many are enqueued, each in a transaction of its own, before any of them runs. */
const BATCH = 50;
/** As many kinds as a whole service has: each turn goes over all of them. */
const QUEUES = 100;

/** The cost of durable work relative to a plain table: a row is inserted, claimed and deleted. */
export async function runJobsBench({ url }: Place, size: Size): Promise<BenchRow[]> {
  const open = openDatabase(url, { max: CONNECTIONS });
  const { alone, many, stop } = ourQueue(open);
  try {
    const floor = await ownTable(open.db);
    const meter = await createMeter(open.pool);
    const bursts = await interleave(meter.burst, [alone, many, floor], size);
    const { capacity, against } = compare(bursts);
    const row = (what: string, name: string, limit: number) =>
      atMost({
        bar: 'J1',
        what,
        limit,
        measured: 1 / capacity(name, floor.name),
        note: against(name, floor.name),
      });
    return [
      row('a job alone, sent, claimed, run and done, CPU of a row of an own table', 'alone', 1.8),
      row(`one of ${BATCH}, CPU of the same`, 'many', 0.8),
    ];
  } finally {
    await stop();
    await open.close();
  }
}

/** Empty jobs, each enqueued in a transaction of its own: one that runs at once, and many that wait first. */
function ourQueue({ db, pool }: OpenDatabase) {
  const jobs = createJobs({ pool, clock: createClock(), log: createLog('silent') });
  const kinds = Array.from({ length: QUEUES }, (_, n) =>
    defineJob<{ n: number }>({ name: `bench.${n}`, attempts: 3, run: async () => undefined }),
  );
  const [job] = kinds;
  if (!job) throw new Error('There is no job');
  jobs.register(kinds);
  const sending = (name: string, units: number): Variant => ({
    name,
    inFlight: 1,
    async once() {
      for (let n = 0; n < units; n += 1) await transact(db, (tx) => jobs.enqueue(tx, job, { n }));
      await jobs.drain();
      return units;
    },
  });
  return { alone: sending('alone', 1), many: sending('many', BATCH), stop: () => jobs.stop(0) };
}

/** The minimum that survives a crash: no queues, no attempts, no keys, no heartbeat, no dead letters. */
async function ownTable(db: Kysely<DB>): Promise<Variant> {
  await run(
    db,
    `create table bench_jobs (
       id bigint primary key generated always as identity,
       claimed_at timestamptz,
       payload jsonb not null
     )`,
    [],
  );
  return {
    name: 'own table',
    inFlight: 1,
    async once() {
      await transact(db, (tx) =>
        runLast(tx, 'insert into bench_jobs (payload) values ($1)', [{ n: 1 }]),
      );
      const [claimed] = await run<{ id: number }>(db, CLAIM, []);
      await run(db, 'delete from bench_jobs where id = $1', [claimed?.id]);
      return 1;
    },
  };
}

const CLAIM = `
  update bench_jobs set claimed_at = now()
  where id = (
    select id from bench_jobs where claimed_at is null order by id limit 1 for update skip locked
  )
  returning id`;
