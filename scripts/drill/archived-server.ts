import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Embedded, startEmbedded } from '../../embedded/embedded.ts';
import { findTools } from '../../embedded/embedded-tools.ts';
import { until } from './processes.ts';

/** A PostgreSQL that archives its log, as an operator's server does. */
export interface ArchivedServer {
  readonly url: string;
  /** As superuser. */
  readonly admin: pg.Client;
  /** Copies the files of the running server, by PostgreSQL's own protocol for that. */
  baseBackup(to: string): Promise<BaseBackup>;
  /** Ends the current file of the log, and waits until the archive has it. */
  archiveNow(): Promise<void>;
  /** Ends the server as a power cut would, and deletes its disk; once. */
  destroy(): Promise<void>;
}

export interface BaseBackup {
  readonly folder: string;
  /** A copy can be restored to every moment from then on. */
  readonly usableFrom: Date;
}

/** Not more of the log than these seconds wait for the archive. */
export const ARCHIVE_TIMEOUT_S = 5;
const PASSWORDS = ['password', 'superuser-password'];
/** Files of one server, never of a copy. */
const OWN = /\/(postmaster\.(pid|opts)|pg_wal\/.+|pgsql_tmp.*)$/;

/** `archive` is a folder that the log is copied to; PostgreSQL's user must reach `dir`. */
export async function startArchived(dir: string, archive: string): Promise<ArchivedServer> {
  const first = await startEmbedded({ dir });
  const tools = await findTools(dir, join(dir, 'cluster'));
  await mkdir(archive, { recursive: true });
  await tools.give(archive);
  const setting = await connected(first.adminUrl);
  const settings = {
    wal_level: 'replica',
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`,
    archive_timeout: String(ARCHIVE_TIMEOUT_S),
    track_commit_timestamp: 'on',
  };
  for (const [name, value] of Object.entries(settings))
    await setting.query(`alter system set ${name} = '${value}'`);
  await setting.end();
  await first.stop();
  const server = await startEmbedded({ dir });
  const admin = await connected(server.adminUrl);
  let isGone = false;
  return {
    url: server.url,
    admin,
    baseBackup: (to) => baseBackup(server, join(dir, 'cluster'), to),
    archiveNow: () => archiveNow(admin),
    async destroy() {
      if (isGone) return;
      isGone = true;
      const [pid] = (await readFile(join(dir, 'cluster/postmaster.pid'), 'utf8')).split('\n');
      admin.on('error', () => {});
      // The whole group at once: its backends, too.
      process.kill(-Number(pid), 'SIGKILL');
      await admin.end().catch(() => {});
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function baseBackup({ adminUrl }: Embedded, data: string, to: string): Promise<BaseBackup> {
  const session = await connected(adminUrl);
  try {
    await session.query(`select pg_backup_start('drill', fast => true)`);
    await copyRunning(data, to);
    for (const name of PASSWORDS) await cp(join(data, '..', name), join(to, '..', `${name}.kept`));
    const { rows } = await session.query('select labelfile, now() as at from pg_backup_stop(true)');
    await writeFile(join(to, 'backup_label'), rows[0].labelfile);
    return { folder: to, usableFrom: new Date(rows[0].at) };
  } finally {
    await session.end();
  }
}

/** A file may go while it is copied; the log says so, and what has gone is not needed. */
async function copyRunning(data: string, to: string): Promise<void> {
  const filter = (path: string) => !OWN.test(path);
  for (let left = 5; ; left -= 1)
    try {
      return await cp(data, to, { recursive: true, force: true, filter });
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
}

async function archiveNow(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query('select pg_walfile_name(pg_switch_wal()) as file');
  const { file } = rows[0];
  await until('the archive has the log', async () => {
    const stat = await admin.query('select last_archived_wal from pg_stat_archiver');
    return String(stat.rows[0]?.last_archived_wal ?? '') >= file;
  });
}

/**
 * Restores a base backup and replays the archived log up to a moment, or to its end, in a folder of its own. The
 * server takes connections when it is through.
 */
export async function restoreAt(
  dir: string,
  { base, archive, at }: RestoreOptions,
): Promise<Embedded> {
  const data = join(dir, 'cluster');
  await mkdir(dir, { recursive: true, mode: 0o711 });
  await cp(base.folder, data, { recursive: true });
  // Its roles have the passwords of the server that it is a copy of.
  for (const name of PASSWORDS) await cp(join(base.folder, '..', `${name}.kept`), join(dir, name));
  const settings = [
    `archive_mode = 'off'`,
    `hot_standby = 'off'`,
    `restore_command = 'cp ${archive}/%f "%p"'`,
    `recovery_target_action = 'promote'`,
    ...(at
      ? [`recovery_target_time = '${at.toISOString().replace('T', ' ').replace('Z', '+00')}'`]
      : []),
  ];
  const auto = join(data, 'postgresql.auto.conf');
  const kept = await readFile(auto, 'utf8');
  await writeFile(auto, `${kept}\n${settings.join('\n')}\n`);
  await writeFile(join(data, 'recovery.signal'), '');
  // The first attempt starts it; while it replays it refuses connections.
  for (let left = 60; ; left -= 1)
    try {
      return await startEmbedded({ dir });
    } catch (error) {
      if (left === 0 || (error as { code?: string }).code !== CANNOT_CONNECT_NOW) throw error;
      await pause(1000);
    }
}
const CANNOT_CONNECT_NOW = '57P03';

interface RestoreOptions {
  readonly base: BaseBackup;
  readonly archive: string;
  readonly at?: Date | undefined;
}
