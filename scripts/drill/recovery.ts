import { randomInt } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkCopy } from '../../src/app/operate/restore/check-copy.ts';
import { loadSecrets } from '../../src/app/start/secrets-file.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import {
  type ArchivedServer,
  type BaseBackup,
  connected,
  restoreAt,
  startArchived,
} from './archived-server.ts';
import { type Client, startClient } from './clients.ts';
import { createEar } from './measures.ts';
import { makePeople } from './people.ts';
import { type Processes, processesIn, until } from './processes.ts';
import {
  type Loss,
  type Restore,
  recoveryFaults,
  restoreLine,
  writeRecovery,
} from './recovery-report.ts';

/**
 * Restores a base backup and the archived log to moments under load, and checks every posting; at last the server's
 * disk is lost, and what the archive lacks is counted:
 *
 *   npm run drill:recovery -- [--restores 20] [--clients 4] [--ports 7700] [--report <file>] [--keep]
 */

const { values } = parseArgs({
  options: {
    restores: { type: 'string', default: '20' },
    clients: { type: 'string', default: '4' },
    /** The first of the ports, which follow one another. */
    ports: { type: 'string', default: '7700' },
    report: { type: 'string', default: join(import.meta.dirname, '../../bench/recovery.md') },
    /** Keeps the folder with all logs. */
    keep: { type: 'boolean', default: false },
  },
});

/** Each transfer of the ledger with the moment of its commit. */
const COMMITS =
  'select transfer_id::text as id, pg_xact_commit_timestamp(xmin) as at from ledger.transfers';
const IDS = 'select transfer_id::text as id from ledger.transfers';
const PAYMENTS = `select reference_id, created_at from card_transactions where status = 'SUCCESS_RECEIVED'`;
/** Commits that are so near to the moment may be written in another order than they are timed in. */
const NEAR_MS = 100;
/** Successes between two restores. */
const BETWEEN = 25;
const [port = 0, sandbox = 0, mail = 0] = [0, 1, 2].map((i) => Number(values.ports) + i);
const folder = await mkdtemp(join(tmpdir(), 'archipay-recovery-'));
// PostgreSQL's user needs access.
await chmod(folder, 0o711);
const archive = join(folder, 'archive');
const serviceData = join(folder, 'service');
const processes = processesIn(folder);
const servers: ArchivedServer[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void clear().finally(() => process.exit(130)));

let failed = true;
try {
  const { restores, loss, acknowledged } = await drill(processes);
  const faults = recoveryFaults(restores, loss);
  for (const fault of faults) console.error(`Does not hold: ${fault}`);
  await writeRecovery(values.report, { restores, loss, acknowledged });
  failed = faults.length > 0;
  console.log(
    `${restores.length} restores, ${loss.lost} of ${acknowledged} lost with the disk: ${values.report}`,
  );
} finally {
  if (failed) console.error(`The logs are in ${folder}`);
  process.exitCode = failed ? 1 : 0;
  await clear();
}

async function clear(): Promise<void> {
  await processes.endAll();
  for (const server of servers) await server.destroy();
  if (!failed && !values.keep) await rm(folder, { recursive: true, force: true });
}

async function drill(own: Processes) {
  const server = await startArchived(join(folder, 'source'), archive);
  servers.push(server);
  const api = await startService(own, server.url);
  const ear = createEar();
  const people = await makePeople(api, Number(values.clients));
  const clients = people.map((person) => startClient(person, [api], ear.hear));
  const flowing = async () => {
    const enough = ear.successes() + BETWEEN;
    await until('payments flow', () => ear.successes() >= enough);
    for (const client of clients) client.check();
  };
  await flowing();
  const bases = [await server.baseBackup(join(folder, 'base-1/cluster'))];
  const restores: Restore[] = [];
  const wanted = Number(values.restores);
  for (let n = 1; n <= wanted; n += 1) {
    await flowing();
    // The second half is of a backup that was made in the middle of it.
    if (n === Math.ceil(wanted / 2))
      bases.push(await server.baseBackup(join(folder, 'base-2/cluster')));
    const one = await restoreOnce(server, bases.at(-1) as BaseBackup, n);
    restores.push(one);
    console.log(restoreLine(n, one));
  }
  await flowing();
  const loss = await loseDisk(server, bases.at(-1) as BaseBackup, clients);
  const acknowledged = clients.reduce((sum, client) => sum + client.acknowledged.length, 0);
  return { restores, loss, acknowledged };
}

async function startService(own: Processes, url: string): Promise<string> {
  const env = {
    DATABASE_URL: url,
    DATA_DIR: serviceData,
    MOCK_MODE: 'true',
    PORT: String(port),
    SANDBOX_PORT: String(sandbox),
    SANDBOX_SMTP_PORT: String(mail),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
  };
  const args = ['scripts/start.mjs'];
  const one = own.start({ name: 'service', program: process.execPath, args, env });
  await until('the service is ready', () => {
    if (!one.alive()) throw new Error(one.said());
    return one.said().includes('is ready (');
  });
  return `http://127.0.0.1:${port}/api`;
}

async function restoreOnce(server: ArchivedServer, base: BaseBackup, n: number): Promise<Restore> {
  const { rows: now } = await server.admin.query('select now() as now');
  const [from, to] = [base.usableFrom.getTime(), new Date(now[0].now).getTime()];
  const at = new Date(randomInt(from, Math.max(from + 1, to - 1000)));
  await pause(50);
  await server.archiveNow();
  const begun = performance.now();
  const dir = join(folder, `restore-${n}`);
  const copy = await restoreAt(dir, { base, archive, at });
  const restoredMs = performance.now() - begun;
  try {
    const ours = await rowsOf<{ id: string; at: string }>(server.url, COMMITS);
    const restored = new Set((await rowsOf<{ id: string }>(copy.url, IDS)).map(({ id }) => id));
    const early = (ms: number) =>
      ours.filter((row) => new Date(row.at).getTime() <= at.getTime() + ms);
    const allowed = new Set(early(1).map(({ id }) => id));
    return {
      at,
      transfers: restored.size,
      lost: early(-NEAR_MS).filter(({ id }) => !restored.has(id)).length,
      tooMany: [...restored].filter((id) => !allowed.has(id)).length,
      restoredMs,
      findings: await findingsOf(copy.url, at),
    };
  } finally {
    await copy.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function rowsOf<T extends object>(url: string, text: string): Promise<T[]> {
  const client = await connected(url);
  try {
    const { rows } = await client.query<T>(text);
    return rows;
  } finally {
    await client.end();
  }
}

/** What `npm run restore:check` finds wrong. */
async function findingsOf(url: string, at: Date): Promise<string[]> {
  const secrets = await loadSecrets(loadConfig({ DATA_DIR: serviceData }));
  const findings = await checkCopy(url, { secrets, at });
  return findings
    .filter(({ state }) => state === 'wrong')
    .map(({ check, says }) => `${check}: ${says}`);
}

/** The server and its disk go while clients pay; only the backup and the archive are left. */
async function loseDisk(
  server: ArchivedServer,
  base: BaseBackup,
  clients: readonly Client[],
): Promise<Loss> {
  await server.destroy();
  const lostAt = new Date();
  await processes.endAll();
  const begun = performance.now();
  const dir = join(folder, 'restore-last');
  const copy = await restoreAt(dir, { base, archive });
  const restoredMs = performance.now() - begun;
  try {
    const rows = await rowsOf<{ reference_id: string; created_at: string }>(copy.url, PAYMENTS);
    const there = new Set(rows.map(({ reference_id }) => reference_id));
    const newest = Math.max(...rows.map(({ created_at }) => new Date(created_at).getTime()));
    const all = clients.flatMap(({ acknowledged }) => acknowledged);
    return {
      lost: all.filter(({ reference_id }) => !there.has(reference_id)).length,
      recoveryPointMs: lostAt.getTime() - newest,
      restoredMs,
      findings: await findingsOf(copy.url, lostAt),
    };
  } finally {
    await copy.stop();
  }
}
