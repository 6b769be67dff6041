import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate, readMigrations } from '../src/kernel/db/migrate.ts';

/** Any number, but not the one that migrations lock. */
const LOCK = 7_242_002;

export interface TestDatabase {
  readonly url: string;
  /** Drops the database; close your connections first, or they are cut. */
  close(): Promise<void>;
}

/**
 * A migrated database of the caller's own; empty except for the rows of its template and of `sql`.
 */
export async function testDatabase(sql = '', template?: string): Promise<TestDatabase> {
  const database = await copyOf(template ?? (await templateDatabase()));
  if (sql !== '') {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(sql);
    await client.end();
  }
  return database;
}

/** The schema of that time: every migration before the one whose name ends so. */
export async function migrateBefore(url: string, last: string): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'archipay-upgrade-'));
  const names = (await readMigrations()).map(({ name }) => name);
  const end = names.findIndex((name) => name.endsWith(last));
  for (const name of names.slice(0, end)) await cp(join('migrations', name), join(dir, name));
  await migrate(url, { dir });
  await rm(dir, { recursive: true });
}

/** A database without even the migrations. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return copyOf('template1');
}

async function copyOf(template: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await create(admin(), name, template);
  return {
    url: urlOf(name),
    close: () => drop(admin(), name),
  };
}

/** By the application's role, which owns every test database. */
function urlOf(name: string): string {
  const address = new URL(inject('testServer'));
  address.pathname = `/${name}`;
  return address.href;
}

async function create(server: Server, name: string, template: string): Promise<void> {
  const { username: owner } = new URL(inject('testServer'));
  await server.query(
    `create database ${name} owner ${owner} template ${template} strategy file_copy`,
  );
}

/**
 * A pool reports its end before the server has noticed it, and cutting a session at that moment would fail the
 * test: only sessions still open after a while are cut.
 */
async function drop(server: Server, name: string): Promise<void> {
  const deadline = performance.now() + 2000;
  const open = 'select from pg_stat_activity where datname = $1';
  while ((await server.query(open, [name])).rowCount !== 0 && performance.now() < deadline)
    await sleep(5);
  await server.query(`drop database if exists ${name} with (force)`);
}

const templateDatabase = (): Promise<string> =>
  madeOnce('template', 'template1', async (url) => void (await migrate(url)));

/** The name of a migrated database that `make` has prepared, for copies of it; one for a run. */
export const preparedTemplate = async (kind: string, make: Make): Promise<string> =>
  madeOnce(kind, await templateDatabase(), make);

/** The address of such a database, which all of a run share. */
export const sharedDatabase = async (kind: string, make: Make): Promise<string> =>
  urlOf(await preparedTemplate(kind, make));

type Make = (url: string) => Promise<void>;

/** The name of a database that exists complete or not at all; the first process that needs it makes it. */
function madeOnce(kind: string, from: string, make: Make): Promise<string> {
  const found = made.get(kind) ?? makeOnce(kind, from, make);
  made.set(kind, found);
  return found;
}
const made = new Map<string, Promise<string>>();

/** Named after its migrations, so that a changed one gets a new database. */
async function makeOnce(kind: string, from: string, make: Make): Promise<string> {
  const sums = (await readMigrations()).map(({ name, checksum }) => `${name} ${checksum}`);
  const hash = createHash('sha256').update(sums.join('\n')).digest('hex').slice(0, 16);
  const name = `${kind}_${hash}`;
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    const known = await client.query('select from pg_database where datname = $1', [name]);
    if (known.rowCount === 1) return;
    const part = `${name}_part`;
    await client.query(`drop database if exists ${part} with (force)`);
    await create(client, part, from);
    await make(urlOf(part));
    await client.query(`alter database ${part} rename to ${name}`);
  });
  return name;
}

/** Sessions of the superuser for as long as this process: each file needs one twice, and opening one costs more. */
function admin(): pg.Pool {
  lasting ??= lastingSessions();
  return lasting;
}
let lasting: pg.Pool | undefined;

function lastingSessions(): pg.Pool {
  const connectionString = inject('testAdmin');
  const lasts = { idleTimeoutMillis: 0, allowExitOnIdle: true };
  const pool = new pg.Pool({ connectionString, max: 2, ...lasts });
  // They end with the server, and the next call gets another.
  pool.on('error', () => undefined);
  return pool;
}

type Server = Pick<pg.Pool, 'query'>;

async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: inject('testAdmin') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
