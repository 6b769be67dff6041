import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join, relative } from 'node:path';
import pg from 'pg';
import { expect, inject } from 'vitest';
import { startEmbedded } from '#embedded/embedded.ts';
import { postgresSettings } from '#embedded/embedded-settings.ts';
import { findTools } from '#embedded/embedded-tools.ts';
import { walPositionOf } from '#kernel/access/read-your-writes.ts';
import { migrate } from '../src/kernel/db/migrate.ts';
import { connected } from './copies.ts';
import { clusterFolder, keptPort, killServer, removeFolder, testFolder } from './folders.ts';

/** A leader and a server that follows it by its log, as in production, both with only the schema. */
export interface Replicated {
  readonly leaderUrl: string;
  readonly replicaUrl: string;
  /** From now on the replica receives the log without applying it. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Waits until the replica has applied all of the leader's log. */
  caughtUp(): Promise<void>;
  /** Takes the leader down as a crash would, and starts it again. */
  crashLeader(): Promise<void>;
  stopReplica(): void;
  /** The replica hangs from now on: it accepts connections, and answers on none. */
  freeze(): Promise<void>;
  thaw(): void;
  close(): Promise<void>;
}

const FOR_REPLICATION = ["wal_level = 'replica'", 'max_wal_senders = 4', "wal_keep_size = '256MB'"];
/** The server's own files, apart from its data. */
const NOT_COPIED = /^(postmaster\.|pg_wal\/)/;

export async function replicated(): Promise<Replicated> {
  const dir = await clusterFolder(inject('testRun'));
  const first = await startEmbedded({ dir });
  await connected(first.adminUrl, async (client) => {
    for (const setting of FOR_REPLICATION) await client.query(`alter system set ${setting}`);
  });
  await first.stop();
  let leader = await startEmbedded({ dir });
  await migrate(leader.url);
  const copy = await testFolder(inject('testRun'));
  await copyOf(leader.adminUrl, dir, copy);
  const port = await startCopy(copy);
  const at = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  const adminOfCopy = at(leader.adminUrl);
  let frozen: number[] = [];
  const thaw = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
  };
  const ask = (sql: string) => connected(adminOfCopy, (client) => client.query(sql));
  return {
    leaderUrl: leader.url,
    replicaUrl: at(leader.url),
    pause: async () => void (await ask('select pg_wal_replay_pause()')),
    resume: async () => void (await ask('select pg_wal_replay_resume()')),
    async caughtUp() {
      const latest = await positionAt(leader.adminUrl, 'pg_current_wal_flush_lsn()');
      await expect
        .poll(() => positionAt(adminOfCopy, 'pg_last_wal_replay_lsn()'), { timeout: 20_000 })
        .toBeGreaterThanOrEqual(latest);
    },
    async crashLeader() {
      const before = leader;
      killServer(dir);
      leader = await startEmbedded({ dir });
      expect(leader.url).toBe(before.url);
      await before.stop();
    },
    stopReplica: () => killServer(copy),
    async freeze() {
      frozen = await suspend(adminOfCopy, copy);
    },
    thaw,
    async close() {
      thaw();
      killServer(copy);
      killServer(dir);
      await leader.stop();
      for (const folder of [dir, copy]) await removeFolder(folder);
    },
  };
}

/** Suspends all of a server's processes; answers their ids, the parent's first. */
async function suspend(adminUrl: string, dir: string): Promise<number[]> {
  const file = readFileSync(join(dir, 'cluster', 'postmaster.pid'), 'utf8');
  const first = Number.parseInt(file, 10);
  const client = new pg.Client({ connectionString: adminUrl });
  client.on('error', () => undefined);
  await client.connect();
  process.kill(first, 'SIGSTOP');
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
  const others = rows.map(({ pid }) => pid);
  for (const pid of others) process.kill(pid, 'SIGSTOP');
  // It is among them, and would never get the signal to end.
  void client.end().catch(() => undefined);
  return [first, ...others];
}

const positionAt = (url: string, what: string): Promise<bigint> =>
  connected(url, async (client) => {
    const { rows } = await client.query(`select ${what}::text as position`);
    return walPositionOf(rows[0].position ?? '0/0');
  });

/** A base backup of a running server, as its manual describes, set up to follow it. */
async function copyOf(adminUrl: string, from: string, to: string): Promise<void> {
  const data = join(to, 'cluster');
  await connected(adminUrl, async (client) => {
    await client.query(`select pg_backup_start('copy', true)`);
    await cp(join(from, 'cluster'), data, {
      recursive: true,
      filter: (path) => !NOT_COPIED.test(relative(join(from, 'cluster'), path)),
    });
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    await writeFile(join(data, 'backup_label'), rows[0].labelfile);
  });
  await mkdir(join(data, 'pg_wal'), { recursive: true });
  const { hostname, port, username, password } = new URL(adminUrl);
  const leader = `host=${hostname} port=${port} user=${username} password=${password}`;
  await writeFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${leader}'\n`, {
    flag: 'a',
  });
  await writeFile(join(data, 'standby.signal'), '');
}

/** Answers its port. */
async function startCopy(dir: string): Promise<number> {
  const data = join(dir, 'cluster');
  await Promise.all([chmod(dir, 0o711), chmod(data, 0o700)]);
  const tools = await findTools(dir, data);
  const port = await freePort();
  await writeFile(join(data, 'postgresql.conf'), postgresSettings(port, true));
  const log = join(dir, 'server.log');
  await writeFile(log, '');
  await Promise.all([tools.give(log), tools.give(data)]);
  const started = await tools.run('pg_ctl', ['start', '-w', '-s', '-D', data, '-l', log]);
  if (!started.ok) throw new Error(`${basename(dir)} does not follow: ${started.output}`);
  return port;
}

/** From the range that the system does not assign: until the server listens, another test could take it. */
function freePort(): Promise<number> {
  const port = keptPort();
  return new Promise((resolve) => {
    const server = createServer().on('error', () => resolve(freePort()));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)));
  });
}
