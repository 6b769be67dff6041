import { hash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { type Db as BossDb, PgBoss } from 'pg-boss';
import { openClient } from '#kernel/db/client.ts';
import type { Db } from '#kernel/db/db.ts';
import { isStalePlan } from '#kernel/db/stale-plan.ts';
import { createStatementNames } from '#kernel/db/statement-names.ts';
import type { Logger } from '#kernel/log.ts';
import type { Job, Schedule } from './job.ts';

/** Any number, but none that something else locks in the same database. */
const LOCK = 7_242_005;
/** Jobs that failed for good and have no `onExhausted` wait here for a person. */
export const DEAD = 'dead';
/** Where pg-boss announces jobs that are due at once. Only a hint: the tick finds them as well. */
export const CHANNEL = `pgboss_${hash('sha224', 'pgboss').slice(0, 24)}`;
/** A process that has not reported for so long is gone. The least that pg-boss allows. */
const HEARTBEAT_S = 10;
/** No run may take longer: another process starts over. */
export const RUN_MAX_S = 900;
const YEARS_S = 10 * 366 * 24 * 3600;

/** Look-ups of ours that the indexes of pg-boss do not serve: what is due, of whom, running, of a key, or not finished. */
const INDEXES = `
  create index if not exists archipay_due on pgboss.job_common (name, start_after)
    where state < 'active' and not blocked;
  create index if not exists archipay_open on pgboss.job_common (name, start_after)
    include (state, source_name) where state < 'completed';
  create index if not exists archipay_turns on pgboss.job_common (name, (coalesce(group_id, '')), start_after)
    where state < 'active' and not blocked;
  create index if not exists archipay_active on pgboss.job_common (heartbeat_on)
    where state = 'active';
  create index if not exists archipay_keys on pgboss.job_common (name, singleton_key)
    where state < 'completed';
`;

/** pg-boss does its own conversions, which ours (see db.ts) would disturb. */
const RAW = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.NUMERIC, String],
  [pg.types.builtins.INT8, String],
  [pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text)],
]);
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    RAW.get(oid) ?? pg.types.getTypeParser(oid, format as 'text'),
};

/** Creates the queue's own schema, or brings it up to date. Any number of processes may at once. */
export async function installJobs(url: string): Promise<void> {
  const client = await openClient({ connectionString: url });
  try {
    await client.query('begin');
    // Held by this session while pg-boss works in others; two installations would collide.
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const own = { connectionString: url, max: 3, types };
    const boss = bossOf({ ...own, migrate: true });
    let fault: Error | undefined;
    boss.on('error', (error) => (fault ??= error));
    try {
      await boss.start();
      await boss.getDb().executeSql(INDEXES);
    } finally {
      await boss.stop({ graceful: false });
    }
    if (fault) throw fault;
    await client.query('commit');
  } finally {
    await client.end();
  }
}

export interface BossOptions {
  /** The connection of the queue is made as this one's are. */
  readonly like: pg.Pool;
  /** By which it is installed: of the server itself, where a pooler is in between. */
  readonly url: string;
  /** False where something in between does not keep prepared statements. */
  readonly prepared: boolean;
  readonly log: Logger;
}

export interface OpenBoss {
  readonly boss: PgBoss;
  close(): Promise<void>;
}

/**
 * The queue over a connection made as the pool's are, installed where it is missing or of an older version. One of the
 * pool's own would not do: transactions that put jobs into the queue hold those, and could wait for the queue to be
 * opened or to be asked about while it waits for one of them.
 */
export async function openBoss({ like, url, prepared, log }: BossOptions): Promise<OpenBoss> {
  const pool = new pg.Pool({ ...like.options, max: 1 });
  pool.on('error', (err) => log.warn({ err }, 'database connection lost'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  const attempt = async () => {
    const boss = bossOf({ db: over(pool, prepared), migrate: false, supervise: true });
    boss.on('error', (error) => log.error({ err: error }, 'Job queue'));
    boss.on('warning', ({ message, data }) => log.warn({ data }, message));
    try {
      return await boss.start();
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => {});
      throw error;
    }
  };
  let ended: Promise<void> | undefined;
  const close = () => (ended ??= pool.end());
  try {
    const boss = await attempt().catch(async () => {
      await installJobs(url);
      return attempt();
    });
    return { boss, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Settings = NonNullable<ConstructorParameters<typeof PgBoss>[0]> & object;

const bossOf = (options: Exclude<Settings, string>): PgBoss =>
  new PgBoss({
    application_name: 'archipay-jobs',
    supervise: false,
    schedule: false,
    ...options,
  });

/**
 * The queue keeps nothing in a session but the plans of its statements. What has no values is sent as it is: it may be
 * several statements, which only the simple protocol takes.
 */
function over(pool: pg.Pool, prepared: boolean): BossDb {
  const names = prepared ? createStatementNames() : undefined;
  const ask: BossDb['executeSql'] = async (text, values) => {
    if (!values?.length) return pool.query({ text, types });
    const name = names?.of(text);
    if (name === undefined) return pool.query({ text, values, types });
    try {
      return await pool.query({ name, text, values, types });
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      names?.replace(text, name);
      return ask(text, values);
    }
  };
  return { executeSql: ask };
}

/** Lets pg-boss run its statements on a connection or transaction of ours. */
export const within = (db: Db): BossDb => ({
  executeSql(text, values = []) {
    const [same, more] = forAnyQueue(text, values.length + 1);
    return db.executeQuery(CompiledQuery.raw(same, [...values, ...more]));
  },
});

/** What pg-boss adds jobs by, which names the queue in its text: of each text the one for any queue, and the queue. */
const additions = new Map<string, readonly [text: string, more: readonly string[]]>();
const ADDS_TO = /'([a-z0-9.-]+)' as name,/;

/** As one statement for all queues, with the queue as its value: else each session would plan one for each of them. */
function forAnyQueue(text: string, at: number): readonly [text: string, more: readonly string[]] {
  const known = additions.get(text);
  if (known) return known;
  const queue = ADDS_TO.exec(text)?.[1];
  if (queue === undefined) return [text, []];
  const made = [text.replaceAll(`'${queue}'`, `$${at}::text`), [queue]] as const;
  additions.set(text, made);
  return made;
}

export const exhaustedQueue = (job: Pick<Job, 'name'>): string => `${job.name}.exhausted`;

/** Creates the queues that are missing and adapts those whose settings have changed. */
export async function provideQueues(
  boss: PgBoss,
  jobs: readonly Job[],
  schedules: readonly Schedule[],
): Promise<void> {
  const wanted = [
    queue(DEAD, 'standard', 1, null),
    ...jobs.filter((job) => job.onExhausted).map((job) => queue(exhaustedQueue(job), 'standard')),
    ...jobs.map((job) =>
      queue(job.name, 'short', job.attempts, job.onExhausted ? exhaustedQueue(job) : DEAD),
    ),
    // What is tried once is made up for by the next run: nobody has to be told of it.
    ...schedules.map(({ name, attempts }) =>
      queue(name, 'exclusive', attempts, attempts === 1 ? null : DEAD),
    ),
  ];
  const known = new Map((await boss.getQueues()).map((found) => [found.name, found]));
  // Dead letter queues come first in the list, as the others refer to them.
  await boss.getDb().executeSql(
    `select pgboss.create_queue(q.name, q.options)
     from jsonb_to_recordset($1) as q (name text, options jsonb)`,
    [JSON.stringify(wanted.filter(({ name }) => !known.has(name)))],
  );
  for (const { name, options } of wanted) {
    const found = known.get(name);
    if (!found || (found.retryLimit === options.retryLimit && sameDead(found, options))) continue;
    const { retryLimit, deadLetter } = options;
    await boss.updateQueue(name, { retryLimit, deadLetter });
  }
}

const sameDead = (a: { deadLetter?: string | null }, b: { deadLetter: string | null }): boolean =>
  (a.deadLetter ?? null) === b.deadLetter;

function queue(name: string, policy: string, attempts = 12, deadLetter: string | null = DEAD) {
  return {
    name,
    options: {
      policy,
      deadLetter,
      retryLimit: attempts - 1,
      retryDelay: 2,
      retryBackoff: true,
      retryDelayMax: 3600,
      expireInSeconds: RUN_MAX_S,
      heartbeatSeconds: HEARTBEAT_S,
      // By default pg-boss drops jobs that did not run for two weeks; here they may be about money.
      retentionSeconds: YEARS_S,
      deleteAfterSeconds: 3600,
      notify: true,
    },
  };
}
