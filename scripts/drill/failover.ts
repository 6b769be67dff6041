import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkBooks } from './books.ts';
import { type Client, startClient } from './clients.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { PLACES, type Places, placesFrom } from './cluster-files.ts';
import { createEar, type Ear, type Failover, measure } from './measures.ts';
import { findPrograms, type Programs } from './packages.ts';
import { makePeople } from './people.ts';
import { type Processes, processesIn, until } from './processes.ts';
import { broken, line, type Outcome, writeReport } from './report.ts';
import { startServices } from './services.ts';

/**
 * Kills the leading database repeatedly under load, and counts the outcome of every payment exactly:
 *
 *   npm run drill:failover -- [--failovers 20] [--clients 8] [--ports 7400] [--mock] [--report <file>] [--keep]
 */

const { values } = parseArgs({
  options: {
    failovers: { type: 'string', default: '20' },
    clients: { type: 'string', default: '8' },
    /** The first of the ports, which follow one another. */
    ports: { type: 'string', default: '7400' },
    /** Mock mode for cards, so that a top-up is one transaction of the database. */
    mock: { type: 'boolean', default: false },
    report: { type: 'string', default: join(import.meta.dirname, '../../bench/failover.md') },
    /** Keeps the folder with all logs. */
    keep: { type: 'boolean', default: false },
  },
});

/** The time in which a key still in progress would show, with a margin. */
const AFTERWARDS_MS = 4000;
/** The number of successes in between that proves the recovery. */
const BETWEEN = 60;

const programs = findPrograms();
const places = placesFrom(Number(values.ports), () => randomBytes(12).toString('hex'));
await refuseTakenPorts(Number(values.ports));
const folder = await mkdtemp(join(tmpdir(), 'archipay-drill-'));
// PostgreSQL's user needs access.
await chmod(folder, 0o711);
const processes = processesIn(folder);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void clear().finally(() => process.exit(130)));

let failed = true;
try {
  const outcome = await drill(programs, processes, places);
  const faults = broken(outcome);
  for (const fault of faults) console.error(`Does not hold: ${fault}`);
  await writeReport(values.report, outcome);
  failed = faults.length > 0;
  const { books } = outcome;
  console.log(
    `${books.acknowledged} top-ups, ${books.lost} lost, ${books.doubled} doubled: ${values.report}`,
  );
} finally {
  if (failed) console.error(`The logs are in ${folder}`);
  process.exitCode = failed ? 1 : 0;
  await clear();
}

async function drill(found: Programs, own: Processes, where: Places): Promise<Outcome> {
  const begun = performance.now();
  say('starting etcd, Redis, Patroni and HAProxy');
  const redis = ['--port', String(where.redis), '--bind', '127.0.0.1', '--save', ''];
  own.start({ name: 'redis', program: found.redis, args: [...redis, '--dir', folder] });
  const cluster = await startCluster({ folder, programs: found, processes: own, places: where });
  say('starting two api and one worker');
  const live = !values.mock;
  const { url } = cluster;
  const services = await startServices({ folder, processes: own, places: where, url, live });
  const [api = ''] = services.apis;
  const people = await makePeople(api, Number(values.clients));
  const ear = createEar();
  const clients = people.map((person) => startClient(person, services.apis, ear.hear));
  const failovers: Failover[] = [];
  for (let n = 1; n <= Number(values.failovers); n += 1) {
    for (const { name, alive } of services.all)
      if (!alive()) throw new Error(`The process ${name} has ended`);
    const one = await failOver(cluster, ear, clients);
    failovers.push(one);
    say(line(n, one));
  }
  say('letting every client have its answer');
  await allAnswered(clients, `http://127.0.0.1:${where.sandbox}`);
  const books = await checkBooks(clients, api, { url, live });
  const restarted = services.all.filter((one) => !one.alive()).length;
  const minutes = (performance.now() - begun) / 60_000;
  return { failovers, clients: clients.length, live, books, restarted, minutes };
}

/** A transaction unknown to the card network is only given up after a quarter of an hour. */
async function allAnswered(clients: readonly Client[], sandbox: string): Promise<void> {
  const stopped = Promise.all(clients.map((client) => client.stop()));
  const answered = () => clients.every((client) => client.open() === 0);
  await until('all are answered', answered, { withinMs: 20_000 }).catch(async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ advance_s: 16 * 60 });
    await fetch(`${sandbox}/clock`, { method: 'POST', headers, body });
  });
  await until('all are answered', answered);
  await stopped;
}

/** One leader dies in the middle of it, and rejoins after another one has taken over. */
async function failOver(cluster: Cluster, ear: Ear, clients: readonly Client[]): Promise<Failover> {
  const enough = ear.successes() + BETWEEN;
  await until('payments flow', () => ear.successes() >= enough, { withinMs: 180_000 });
  const node = await cluster.leader();
  await cluster.kill(node);
  const killedMs = performance.now();
  await until('a payment succeeds again', () => ear.firstSince(killedMs) !== undefined);
  await pause(AFTERWARDS_MS);
  const rejoining = performance.now();
  await cluster.rejoin(node);
  const untilMs = performance.now();
  for (const client of clients) client.check();
  const window = { node: node.name, killedMs, untilMs, rejoinMs: untilMs - rejoining };
  return measure(ear.all(), window);
}

async function clear(): Promise<void> {
  await processes.endAll();
  if (!values.keep && !failed) await rm(folder, { recursive: true, force: true });
}

async function refuseTakenPorts(first: number): Promise<void> {
  for (let port = first; port < first + PLACES; port += 1)
    await new Promise<void>((resolve, reject) => {
      const server = createServer();
      server.once('error', () =>
        reject(new Error(`Port ${port} is taken: name ${PLACES} free ones by --ports`)),
      );
      server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
    });
}

function say(words: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${words}`);
}
