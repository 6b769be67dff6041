import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { createClock } from '#kernel/clock.ts';
import { openClient } from '#kernel/db/client.ts';
import { createLog } from '#kernel/log.ts';
import { newToken } from '#kernel/secrets/token.ts';
import { type App, createApp } from '#src/app/app.ts';
import { loadConfig } from '#src/config.ts';
import type { Case } from './case.ts';
import { casesAt } from './cases.ts';
import { people, type Sizes } from './sizes.ts';

/** What one request of a case costs the database, warm. */
export interface Measured {
  readonly name: string;
  readonly status: number;
  readonly statements: number;
  /** Of 8 kB, whether they were in memory or not. */
  readonly blocks: number;
  readonly databaseMs: number;
  /** The middle one of all, as the caller sees it. */
  readonly ms: number;
}

const WARM = 6;
const REQUESTS = 15;

/** Runs every case against a service over that database. */
export async function measure(url: string, adminUrl: string, sizes: Sizes): Promise<Measured[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipay-grow-'));
  const app = await startApp(url, dataDir);
  const client = await openClient({ connectionString: adminUrl });
  try {
    const ask = await asker(app, sizes);
    const measured: Measured[] = [];
    for (const each of casesAt(sizes)) measured.push(await measureCase(client, each, ask));
    return measured;
  } finally {
    await client.end();
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startApp(databaseUrl: string, dataDir: string): Promise<App> {
  const config = loadConfig({
    ...{ NODE_ENV: 'test', PORT: '0', SANDBOX_PORT: '0', SANDBOX_SMTP_PORT: '0', ROLE: 'api' },
    ...{ RATE_LIMITS: 'off', LOG_LEVEL: 'silent', DATA_DIR: dataDir },
  });
  const secrets = {
    MASTER_KEY: `1:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: randomBytes(32).toString('hex'),
    EVM_MNEMONIC: 'test test test test test test test test test test test junk',
  };
  const log = createLog(config.LOG_LEVEL, { write: () => undefined });
  const app = await createApp({ config, databaseUrl, secrets, log, clock: createClock() });
  await app.start();
  return app;
}

type Ask = (one: Case) => Promise<number>;

/** Asks with a token of whoever the case says; answers the status. */
async function asker(app: App, sizes: Sizes): Promise<Ask> {
  const { kernel } = app;
  const { token: key, digest } = newToken();
  await kernel.db
    .insertInto('api_keys')
    .values({ key_hash: digest, key_prefix: key.slice(0, 10), key_suffix: key.slice(-4) })
    .execute();
  const tokens = new Map<string, string>();
  for (const [who, id] of Object.entries(people(sizes))) {
    const owner = who === 'member' ? { userx_id: id } : { user_id: id };
    const { token } = await kernel.sessions.open(kernel.db, { ...owner, method: 'password' });
    tokens.set(who, token);
  }
  let serial = 0;
  return async ({ id, as, params = {}, query = {}, body: given, keyed }) => {
    serial += 1;
    const body = typeof given === 'function' ? given(serial) : given;
    const [method = '', path = ''] = id.split(' ');
    const place = path.replace(/\{(\w+)\}/g, (_, name) => String(params[name]));
    const search = new URLSearchParams(
      Object.entries(query).map(([k, v]): [string, string] => [k, String(v)]),
    );
    const base = /^\/(health|metrics)/.test(path) ? new URL(app.apiUrl()).origin : app.apiUrl();
    const reply = await fetch(`${base}${place}?${search}`, {
      method,
      headers: {
        'x-api-key': key,
        ...(as && { authorization: `Bearer ${tokens.get(as)}` }),
        ...(keyed && { 'idempotency-key': `grown-${serial}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await reply.arrayBuffer();
    return reply.status;
  };
}

async function measureCase(client: pg.Client, one: Case, ask: Ask): Promise<Measured> {
  for (let n = 0; n < WARM; n += 1) await ask(one);
  await client.query('select pg_stat_statements_reset()');
  const times: number[] = [];
  let status = 0;
  for (let n = 0; n < REQUESTS; n += 1) {
    const start = performance.now();
    status = await ask(one);
    times.push(performance.now() - start);
  }
  const { rows } = await client.query(SPENT);
  const [{ blocks, ms, calls }] = rows;
  return {
    name: one.name,
    status,
    statements: Math.round(Number(calls) / REQUESTS),
    blocks: Math.round(Number(blocks) / REQUESTS),
    databaseMs: Number(ms) / REQUESTS,
    ms: times.sort((a, b) => a - b)[Math.floor(REQUESTS / 2)] ?? 0,
  };
}

/** Of the application's role, without what looks for work and moves events all the time. */
const SPENT = `
  select coalesce(sum(shared_blks_hit + shared_blks_read + local_blks_hit + temp_blks_read
           + temp_blks_written), 0) as blocks,
         coalesce(sum(total_exec_time), 0) as ms, coalesce(sum(calls), 0) as calls
  from pg_stat_statements s join pg_roles r on r.oid = s.userid
  where not r.rolsuper and query !~* '^(begin|commit|rollback|set|listen)'
    and query !~ 'events\\.move|job_schedules|update pgboss\\.(version|queue)'`;
