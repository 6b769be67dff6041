import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { clusterFolder, killServer } from '#test/folders.ts';
import { type Embedded, startEmbedded } from './embedded.ts';

let dir: string;
const running: Embedded[] = [];

beforeEach(async () => {
  dir = await clusterFolder(inject('testRun'));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ stop }) => stop()));
  killServer(dir);
  await rm(dir, { recursive: true, force: true });
});

async function start(folder = dir): Promise<Embedded> {
  const server = await startEmbedded({ dir: folder });
  running.push(server);
  return server;
}

async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text).finally(() => client.end());
  return Object.values(rows[0] ?? {})[0];
}

/** Kills the server, and resolves once it is gone: until then it counts as running. */
async function killDatabase(): Promise<void> {
  const pid = Number.parseInt(await readFile(join(dir, 'cluster', 'postmaster.pid'), 'utf8'), 10);
  process.kill(pid, 'SIGKILL');
  const isGone = async () => {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    // A zombie still has a process id, and no working folder.
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    return process.platform === 'linux' && folder === undefined;
  };
  await expect.poll(isGone).toBe(true);
}

/** Starts the server from another process and answers that process once the server is up. */
async function startElsewhere() {
  const script = `
    import { startEmbedded } from '${new URL('./embedded.ts', import.meta.url)}';
    const { url } = await startEmbedded({ dir: process.argv[1] });
    console.log(url);
    setInterval(() => {}, 1000);`;
  const args = ['--input-type=module', '-e', script, dir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(child.stdout.setEncoding('utf8'), 'data');
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { url: String(url).trim(), kill };
}

test('the second start has the first one’s data, under the same address', async () => {
  const first = await start();
  expect(first.adopted).toBe(false);
  await ask(first.url, 'create table kept as select 42 as answer');
  await first.stop();
  await expect(ask(first.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);

  const second = await start();
  expect(second).toMatchObject({ url: first.url, adopted: false });
  expect(await ask(second.url, 'select answer from kept')).toBe(42);
});

test('any process restarts a killed server under the same address', async () => {
  const [first, second] = [await start(), await start()];
  expect(await first.revive()).toBe(false);
  await ask(first.url, 'create table kept as select 42 as answer');
  await killDatabase();
  let revivals = 0;
  const revive = async () => {
    const answers = await Promise.all([first, second, first].map((server) => server.revive()));
    revivals += answers.filter(Boolean).length;
    return revivals;
  };
  await expect.poll(revive).toBe(1);
  expect(await ask(second.url, 'select answer from kept')).toBe(42);
  await Promise.all([first.stop(), second.stop()]);
  expect(await first.revive()).toBe(false);
  await expect(ask(first.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
});

test('the cluster is durable, checks its pages, keeps UTC and compares text by code', async () => {
  const { url } = await start();
  for (const [name, value] of Object.entries({
    server_version_num: /^18/,
    fsync: /^on$/,
    synchronous_commit: /^on$/,
    data_checksums: /^on$/,
    server_encoding: /^UTF8$/,
    TimeZone: /^UTC$/,
    listen_addresses: /^127\.0\.0\.1$/,
  }))
    expect(await ask(url, `show ${name}`)).toMatch(value);
  expect(await ask(url, `select 'Z' < 'a' and lower('Ä') = 'ä'`)).toBe(true);
});

const REFUSED = /password authentication failed/;
/** The rights of that address's role beyond its own database, as names of columns. */
const powersAt = (url: string) =>
  ask(
    url,
    `select array(
       select name from pg_roles r, jsonb_each_text(to_jsonb(r)) as power (name, value)
       where r.rolname = current_user and value = 'true' order by name)`,
  );

test('the application owns its database, with no other right and its own password', async () => {
  const { url, adminUrl } = await start();
  expect(await powersAt(url)).toEqual(['rolcanlogin', 'rolinherit']);
  await ask(url, 'create schema mine create table mine.things (n integer)');
  for (const forbidden of [
    'create role other',
    'create database other',
    "copy (select 1) to program 'true'",
    "select pg_read_file('PG_VERSION')",
    'set role postgres',
  ])
    await expect(ask(url, forbidden), forbidden).rejects.toThrow(/permission denied|must be/);
  for (const name of ['password', 'superuser-password'])
    expect((await stat(join(dir, name))).mode & 0o777, name).toBe(0o600);
  for (const password of ['guess', new URL(url).password]) {
    const stranger = new URL(adminUrl);
    stranger.password = password;
    await expect(ask(stranger.href, 'select 1')).rejects.toThrow(REFUSED);
  }
});

test('a folder of a version with one password and more rights is repaired', async () => {
  const before = await start();
  const { password } = new URL(before.url);
  await ask(before.url, 'create table kept as select 42 as answer');
  await ask(before.adminUrl, 'alter role archipay createdb createrole');
  await ask(before.adminUrl, `alter role postgres password '${password}'`);
  await before.stop();
  await rm(join(dir, 'superuser-password'));

  const after = await start();
  expect(after.url).toBe(before.url);
  expect(await ask(after.url, 'select answer from kept')).toBe(42);
  expect(await powersAt(after.url)).toEqual(['rolcanlogin', 'rolinherit']);
  const known = new URL(after.adminUrl);
  known.password = password;
  await expect(ask(known.href, 'select 1')).rejects.toThrow(REFUSED);
  expect(await ask(after.adminUrl, 'select current_user')).toBe('postgres');
});

test('the folder is closed to others', async () => {
  const data = join(dir, 'data');
  const server = await start(join(data, 'postgres'));
  // Root's server runs as another user, who may pass through the folder, not list it.
  const others = process.getuid?.() === 0 ? 0o011 : 0;
  for (const made of [data, join(data, 'postgres')])
    expect((await stat(made)).mode & 0o777).toBe(0o700 | others);
  expect(await ask(server.url, 'select 1')).toBe(1);
});

test('a server that outlived its killed parent is adopted, and stops with us', async () => {
  const parent = await startElsewhere();
  await ask(parent.url, 'create table kept as select 1');
  const before = await ask(parent.url, 'select pg_postmaster_start_time()::text');
  await parent.kill();

  const heir = await start();
  expect(heir).toMatchObject({ url: parent.url, adopted: true });
  expect(await ask(heir.url, 'select pg_postmaster_start_time()::text')).toBe(before);
  await heir.stop();
  await expect(ask(heir.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
});

test('several processes share a server, and the last one to stop ends it', async () => {
  const other = await startElsewhere();
  const here = await start();
  expect(here).toMatchObject({ url: other.url, adopted: true });
  await here.stop();
  expect(await ask(other.url, 'select 1')).toBe(1);
  await other.kill();
});

test('processes that start at the same moment end up on one server', async () => {
  const [here, ...others] = await Promise.all([start(), startElsewhere(), startElsewhere()]);
  expect(others.map(({ url }) => url)).toEqual([here.url, here.url]);
  await Promise.all(others.map(({ kill }) => kill()));
  expect(await ask(here.url, 'select 1')).toBe(1);
});

test('committed rows survive a kill of the server', async () => {
  const first = await start();
  await ask(first.url, 'create table kept as select 42 as answer');
  await killDatabase();

  const second = await start();
  expect(second.adopted).toBe(false);
  expect(await ask(second.url, 'select answer from kept')).toBe(42);
});

test('a pid file whose number now belongs to another process does not block the start', async () => {
  const first = await start();
  await first.stop();
  const stranger = `${process.pid}\n${dir}/cluster\n1\n5432\n\n127.0.0.1\n1 1\nready   \n`;
  await writeFile(join(dir, 'cluster', 'postmaster.pid'), stranger);
  expect((await start()).adopted).toBe(false);
});

test('a server takes another port if its last one is taken', async () => {
  const first = await start();
  await first.stop();
  const squatter = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
  await once(squatter, 'listening');
  const second = await start();
  expect(second.url).not.toBe(first.url);
  expect(await ask(second.url, 'select 1')).toBe(1);
  squatter.close();
});

test('a start completes an interrupted first one', async () => {
  await mkdir(join(dir, 'cluster.part', 'base'), { recursive: true });
  await writeFile(join(dir, 'lock'), '999999999 1 long-gone');
  expect(await ask((await start()).url, 'select 1')).toBe(1);
});

test('the server runs in a folder that is closed to other users', async () => {
  await chmod(dir, 0o700);
  const deep = join(dir, 'closed', 'data');
  await mkdir(deep, { recursive: true, mode: 0o700 });
  const server = await start(deep);
  expect(await ask(server.url, 'select 1')).toBe(1);
  await server.stop();
  expect((await start(deep)).url).toBe(server.url);
});

test('files of another major version are refused, not touched', async () => {
  await mkdir(join(dir, 'cluster'));
  await writeFile(join(dir, 'cluster', 'PG_VERSION'), '17\n');
  await expect(start()).rejects.toThrow(/written by PostgreSQL 17, this is PostgreSQL 18/);
});
